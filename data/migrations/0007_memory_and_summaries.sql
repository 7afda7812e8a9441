-- Where a fact was told: none of it for one that was set by a command. No server: told in private.
ALTER TABLE kept_facts ADD COLUMN source_message_id INTEGER;
ALTER TABLE kept_facts ADD COLUMN source_channel_id INTEGER;
ALTER TABLE kept_facts ADD COLUMN source_guild_id INTEGER;
ALTER TABLE kept_facts ADD COLUMN source_parent_id INTEGER;

CREATE INDEX kept_facts_message ON kept_facts (source_message_id) WHERE source_message_id IS NOT NULL;
CREATE INDEX kept_facts_channel ON kept_facts (source_channel_id) WHERE source_channel_id IS NOT NULL;

-- What was said in a conversation before its window, in a few sentences. `until` is when the newest of it was said.
CREATE TABLE summaries (
    conversation_id INTEGER PRIMARY KEY REFERENCES conversations (id) ON DELETE CASCADE,
    text TEXT NOT NULL,
    model TEXT NOT NULL,
    until INTEGER NOT NULL,
    made_at INTEGER NOT NULL
) STRICT;

-- The messages a summary was made of, directly or through the one before it.
CREATE TABLE summary_sources (
    conversation_id INTEGER NOT NULL REFERENCES summaries (conversation_id) ON DELETE CASCADE,
    message_id INTEGER NOT NULL,
    PRIMARY KEY (conversation_id, message_id)
) STRICT, WITHOUT ROWID;

-- A summary goes with the first of its messages that is deleted or changed, whoever does that, in the same transaction.
CREATE TRIGGER archive_row_summarised AFTER DELETE ON archive BEGIN
    DELETE FROM summaries WHERE conversation_id IN (
        SELECT conversation_id FROM summary_sources
        WHERE conversation_id = old.conversation_id AND message_id = old.message_id
    );
END;

CREATE TRIGGER archive_text_summarised AFTER UPDATE OF text, sensitive ON archive BEGIN
    DELETE FROM summaries WHERE conversation_id IN (
        SELECT conversation_id FROM summary_sources
        WHERE conversation_id = old.conversation_id AND message_id = old.message_id
    );
END;

CREATE TRIGGER summary_deleted AFTER DELETE ON summaries BEGIN
    UPDATE erasure SET pending = pending + 1;
END;

-- Who lets characters form impressions of them, and since when. Whatever rests on that refers to this row with
-- ON DELETE CASCADE: withdrawn consent takes it away in the same transaction.
CREATE TABLE memory_consents (
    user_id INTEGER PRIMARY KEY,
    given_at INTEGER NOT NULL
) STRICT;

-- Model calls that still say whose they were: what the retention has to look at.
CREATE INDEX usage_at ON usage (at) WHERE at IS NOT NULL;
