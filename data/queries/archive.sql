-- name: add_message(first_id, last_id, conversation_id, message_id, author_id, author_name, is_self, text, terms, sensitive, sent_at, edited_at)!
-- Archive a message under the next free id of its millisecond; one that is already there stays as it is.
INSERT INTO archive (
    id, conversation_id, message_id, author_id, author_name, is_self, text, terms, sensitive, sent_at, edited_at
)
SELECT
    coalesce(max(id), :first_id - 1) + 1,
    :conversation_id, :message_id, :author_id, :author_name, :is_self, :text, :terms, :sensitive, :sent_at, :edited_at
FROM archive
WHERE id BETWEEN :first_id AND :last_id
ON CONFLICT (message_id, conversation_id) DO NOTHING;

-- name: copies_of_message(message_id)
-- Find every copy of a message (one per character that was there) with the key its terms need.
SELECT archive.id, conversations.term_key
FROM archive
JOIN conversations ON conversations.id = archive.conversation_id
WHERE archive.message_id = :message_id;

-- name: edit_message(id, text, terms, edited_at)!
-- Replace the text of one copy of a message; a sensitive one only learns when it was edited. No text: now sensitive.
UPDATE archive SET
    text = CASE WHEN sensitive = 1 THEN NULL ELSE :text END,
    terms = CASE WHEN sensitive = 1 THEN NULL ELSE :terms END,
    sensitive = CASE WHEN :text IS NULL THEN 1 ELSE sensitive END,
    edited_at = :edited_at
WHERE id = :id;

-- name: delete_message(message_id)!
-- Delete every copy of a message that was deleted on Discord.
DELETE FROM archive WHERE message_id = :message_id;

-- name: delete_channel_messages(channel_id)!
-- Delete the messages of a channel that is gone and of its threads.
DELETE FROM archive
WHERE conversation_id IN (SELECT id FROM conversations WHERE channel_id = :channel_id OR parent_id = :channel_id);

-- name: delete_guild_messages(guild_id, character)!
-- Delete the messages of a server the character was removed from.
DELETE FROM archive WHERE conversation_id IN (
    SELECT id FROM conversations WHERE guild_id = :guild_id AND character = :character
);

-- name: delete_oldest_messages(before_id, limit)!
-- Delete a slice of the messages whose time is over; in slices, so that a turn can be written in between.
DELETE FROM archive WHERE id IN (SELECT id FROM archive WHERE id < :before_id ORDER BY id LIMIT :limit);

-- name: recent_messages(character, channel_id, limit, after_id, before_id)
-- Read those of the newest messages of a conversation that have text and an id between two others, newest first.
SELECT newest.message_id, newest.author_id, newest.author_name, newest.is_self, newest.text, newest.sent_at
FROM (
    SELECT archive.*
    FROM archive
    JOIN conversations ON conversations.id = archive.conversation_id
    WHERE conversations.character = :character
        AND conversations.channel_id = :channel_id
        AND archive.text IS NOT NULL
    ORDER BY archive.id DESC
    LIMIT :limit
) AS newest
WHERE newest.message_id > :after_id AND newest.message_id < :before_id
ORDER BY newest.id DESC;
