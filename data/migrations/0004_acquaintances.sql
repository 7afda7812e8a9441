-- When a person last spoke to a character is between the two of them, not something all characters know.
CREATE TABLE acquaintances (
    user_id INTEGER NOT NULL,
    character TEXT NOT NULL,
    last_seen_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, character)
) STRICT;

-- What is known of it so far: the turns that are still on record, else whose private conversation there is.
INSERT INTO acquaintances (user_id, character, last_seen_at)
SELECT traces.user_id, conversations.character, max(traces.at)
FROM traces
JOIN conversations ON conversations.id = traces.conversation_id
JOIN users ON users.id = traces.user_id
WHERE users.last_seen_at IS NOT NULL AND users.opted_out = 0
GROUP BY traces.user_id, conversations.character;

INSERT INTO acquaintances (user_id, character, last_seen_at)
SELECT DISTINCT users.id, conversations.character, users.last_seen_at
FROM users
JOIN conversations ON conversations.owner_id = users.id
WHERE users.last_seen_at IS NOT NULL AND users.id NOT IN (SELECT user_id FROM acquaintances);

ALTER TABLE users DROP COLUMN last_seen_at;

-- The last number a fact of a person got: one that was deleted must not lend its number to another.
ALTER TABLE users ADD COLUMN last_fact_number INTEGER NOT NULL DEFAULT 0 CHECK (last_fact_number >= 0);

INSERT INTO users (id, last_fact_number)
SELECT user_id, max(number) FROM kept_facts WHERE true GROUP BY user_id
ON CONFLICT (id) DO UPDATE SET last_fact_number = excluded.last_fact_number;
