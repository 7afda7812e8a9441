-- The language a person was last seen writing in, and what they asked to have kept.
ALTER TABLE users ADD COLUMN seen_locale TEXT CHECK (seen_locale IN ('ja', 'en'));

-- What a person told about themselves and asked to have kept; numbered for each person.
CREATE TABLE kept_facts (
    user_id INTEGER NOT NULL,
    number INTEGER NOT NULL CHECK (number > 0),
    text TEXT NOT NULL,
    told_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, number)
) STRICT;
