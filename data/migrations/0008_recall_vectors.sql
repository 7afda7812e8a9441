-- What messages mean, for finding them by other words. The vector goes with its message, and with the text it is of.

CREATE TABLE archive_vectors (
    archive_id INTEGER PRIMARY KEY REFERENCES archive (id) ON DELETE CASCADE,
    model TEXT NOT NULL,
    vector BLOB NOT NULL CHECK (length(vector) = 512)
) STRICT;

CREATE TRIGGER archive_vector_outdated AFTER UPDATE OF text ON archive BEGIN
    DELETE FROM archive_vectors WHERE archive_id = old.id;
END;
