-- A summary is renewed in its place, and the messages it was made of stay noted.
CREATE TRIGGER summary_renewed AFTER UPDATE OF text ON summaries BEGIN
    UPDATE erasure SET pending = pending + 1;
END;
