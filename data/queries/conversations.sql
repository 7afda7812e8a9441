-- name: note_conversation(character, channel_id, guild_id, term_key)!
-- Make sure that a conversation has a row, before a session or a trace refers to it, and of which server it is.
INSERT INTO conversations (character, channel_id, guild_id, term_key)
VALUES (:character, :channel_id, :guild_id, :term_key)
ON CONFLICT (character, channel_id) DO UPDATE SET guild_id = coalesce(conversations.guild_id, excluded.guild_id);

-- name: place_conversation(character, channel_id, kind, guild_id, parent_id, owner_id, term_key)^
-- Record where a conversation takes place and, once known, whose it is; give its id and the key of its terms.
INSERT INTO conversations (character, channel_id, kind, guild_id, parent_id, owner_id, term_key)
VALUES (:character, :channel_id, :kind, :guild_id, :parent_id, :owner_id, :term_key)
ON CONFLICT (character, channel_id) DO UPDATE SET
    kind = excluded.kind,
    guild_id = excluded.guild_id,
    parent_id = excluded.parent_id,
    owner_id = coalesce(conversations.owner_id, excluded.owner_id)
RETURNING id, term_key;

-- name: conversation_key(character, channel_id)^
-- Look up a conversation and the key of its terms, for a search.
SELECT id, term_key FROM conversations WHERE character = :character AND channel_id = :channel_id;

-- name: delete_channel_conversations(channel_id)!
-- Forget a channel that is gone and its threads, with all that refers to them.
DELETE FROM conversations WHERE channel_id = :channel_id OR parent_id = :channel_id;

-- name: delete_guild_conversations(guild_id, character)!
-- Forget a character's conversations of a server, with all that refers to them.
DELETE FROM conversations WHERE guild_id = :guild_id AND character = :character;

-- name: empty_conversations()
-- Find conversations of which nothing is left; one in which something is happening right now is left for later.
SELECT id FROM conversations
WHERE NOT EXISTS (SELECT 1 FROM archive WHERE archive.conversation_id = conversations.id)
    AND NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.conversation_id = conversations.id)
    AND NOT EXISTS (SELECT 1 FROM traces WHERE traces.conversation_id = conversations.id)
--postgresql FOR UPDATE SKIP LOCKED
;

-- name: delete_empty_conversation(id)!
-- Drop a conversation if still nothing is left of it; whom a character talked to lapses with what was said.
DELETE FROM conversations
WHERE id = :id
    AND NOT EXISTS (SELECT 1 FROM archive WHERE archive.conversation_id = conversations.id)
    AND NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.conversation_id = conversations.id)
    AND NOT EXISTS (SELECT 1 FROM traces WHERE traces.conversation_id = conversations.id);
