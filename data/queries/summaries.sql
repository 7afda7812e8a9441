-- What was said in conversations before their windows.

-- name: summary(character, channel_id)^
-- Read a conversation's summary, with the first and the last of the messages it was made of.
SELECT summaries.text, summaries.model, summaries.until, summaries.made_at,
    (
        SELECT min(summary_sources.message_id) FROM summary_sources
        WHERE summary_sources.conversation_id = summaries.conversation_id
    ) AS first_id,
    (
        SELECT max(summary_sources.message_id) FROM summary_sources
        WHERE summary_sources.conversation_id = summaries.conversation_id
    ) AS last_id
FROM conversations
JOIN summaries ON summaries.conversation_id = conversations.id
WHERE conversations.character = :character AND conversations.channel_id = :channel_id;

-- name: summarised_message(conversation_id, message_id)^
-- Read again what a summary was made of, and whether whoever wrote it still wants to be read.
SELECT archive.text, coalesce(users.opted_out, 0) AS opted_out
FROM archive
LEFT JOIN users ON users.id = archive.author_id AND archive.is_self = 0
WHERE archive.message_id = :message_id AND archive.conversation_id = :conversation_id;

-- name: add_summary(conversation_id, text, model, until, made_at)!
-- Store the first summary of a conversation.
INSERT INTO summaries (conversation_id, text, model, until, made_at)
VALUES (:conversation_id, :text, :model, :until, :made_at);

-- name: renew_summary(conversation_id, text, model, until, made_at)!
-- Put a summary in the place of the one it was made of, whose messages stay noted.
UPDATE summaries SET text = :text, model = :model, until = :until, made_at = :made_at
WHERE conversation_id = :conversation_id;

-- name: add_summary_source(conversation_id, message_id)!
-- Note a message that a summary was made of.
INSERT INTO summary_sources (conversation_id, message_id) VALUES (:conversation_id, :message_id);

-- name: delete_summaries_of(user_id)!
-- Forget the summaries that were made of anything a person wrote.
DELETE FROM summaries WHERE conversation_id IN (
    SELECT summary_sources.conversation_id
    FROM archive
    JOIN summary_sources
        ON summary_sources.conversation_id = archive.conversation_id
        AND summary_sources.message_id = archive.message_id
    WHERE archive.author_id = :user_id
);
