-- name: searched_conversation(character, channel_id, most)
-- Look up a conversation with the key of its terms and how many messages it has, counted no further than needed: where
-- there are that many, skipping them is quicker than counting them.
SELECT
    id,
    term_key,
    coalesce(
        (SELECT CAST(:most AS BIGINT) FROM archive WHERE archive.conversation_id = conversations.id LIMIT 1 OFFSET CAST(:most AS BIGINT) - 1),
        (SELECT count(*) FROM archive WHERE archive.conversation_id = conversations.id)
    ) AS size
FROM conversations
WHERE character = :character AND channel_id = :channel_id;

-- name: count_messages_upto(conversation_id, most)$
-- Count the messages of a conversation, but not further than needed.
SELECT count(*) FROM (SELECT 1 FROM archive WHERE conversation_id = :conversation_id LIMIT :most) AS counted;

-- name: newest_readable(conversation_id, limit)
-- Read the newest messages of a conversation that may be recalled, newest first.
SELECT
    archive.id, archive.message_id, archive.author_id, archive.author_name, archive.is_self, archive.text,
    archive.sensitive, archive.sent_at, archive.edited_at,
    conversations.character, conversations.channel_id, conversations.kind, conversations.guild_id,
    conversations.parent_id
FROM archive
JOIN conversations ON conversations.id = archive.conversation_id
WHERE archive.conversation_id = :conversation_id
    AND archive.text IS NOT NULL
    AND archive.sensitive = 0
    AND (archive.is_self = 1 OR NOT EXISTS (
        SELECT 1 FROM users WHERE users.id = archive.author_id AND users.opted_out = 1
    ))
ORDER BY archive.id DESC
LIMIT :limit;

-- name: newest_with_vectors(conversation_id, model, before, limit)
-- Read the newest messages before a place that may be recalled, with what they mean, newest first.
SELECT archive.id, archive.message_id, archive.is_self, archive.text, archive_vectors.vector
FROM archive
LEFT JOIN archive_vectors ON archive_vectors.archive_id = archive.id AND archive_vectors.model = :model
WHERE archive.conversation_id = :conversation_id
    AND archive.id < :before
    AND archive.text IS NOT NULL
    AND archive.sensitive = 0
    AND (archive.is_self = 1 OR NOT EXISTS (
        SELECT 1 FROM users WHERE users.id = archive.author_id AND users.opted_out = 1
    ))
ORDER BY archive.id DESC
LIMIT :limit;

-- name: place_of_message(conversation_id, message_id)$
-- Look up where in the order of a conversation a message stands.
SELECT id FROM archive WHERE message_id = :message_id AND conversation_id = :conversation_id;

-- name: beside_message(conversation_id, id)
-- Read the message directly before and the one directly after, if they may be recalled.
SELECT
    archive.message_id, archive.author_id, archive.author_name, archive.is_self, archive.text,
    archive.sensitive, archive.sent_at, archive.edited_at,
    conversations.character, conversations.channel_id, conversations.kind, conversations.guild_id,
    conversations.parent_id
FROM archive
JOIN conversations ON conversations.id = archive.conversation_id
WHERE archive.id IN (
        (SELECT max(id) FROM archive WHERE conversation_id = :conversation_id AND id < :id),
        (SELECT min(id) FROM archive WHERE conversation_id = :conversation_id AND id > :id)
    )
    AND archive.text IS NOT NULL
    AND archive.sensitive = 0
    AND (archive.is_self = 1 OR NOT EXISTS (
        SELECT 1 FROM users WHERE users.id = archive.author_id AND users.opted_out = 1
    ))
ORDER BY archive.id;

-- name: messages_without_vector(conversation_id, model, limit)
-- Read the newest messages that may be recalled and whose meaning isn't stored.
SELECT archive.id, archive.text
FROM archive
LEFT JOIN archive_vectors ON archive_vectors.archive_id = archive.id AND archive_vectors.model = :model
WHERE archive.conversation_id = :conversation_id
    AND archive_vectors.archive_id IS NULL
    AND archive.text IS NOT NULL
    AND archive.sensitive = 0
    AND (archive.is_self = 1 OR NOT EXISTS (
        SELECT 1 FROM users WHERE users.id = archive.author_id AND users.opted_out = 1
    ))
ORDER BY archive.id DESC
LIMIT :limit;

-- name: keep_vector(id, text, model, vector)!
-- Store what a message means, unless its text has changed meanwhile; one model's vector takes the place of another's.
INSERT INTO archive_vectors (archive_id, model, vector)
SELECT id, :model, :vector FROM archive WHERE id = :id AND text = :text AND sensitive = 0
--postgresql FOR SHARE
ON CONFLICT (archive_id) DO UPDATE SET model = excluded.model, vector = excluded.vector;
