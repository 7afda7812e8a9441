-- name: database_now()$
-- Read the database's clock, in milliseconds.
SELECT CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER);
