-- name: database_now()$
-- Read the server's clock, in milliseconds; it goes on in a transaction.
SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT);
