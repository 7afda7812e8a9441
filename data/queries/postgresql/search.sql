-- Full text without an extension: an index over the keyed terms of each row as an array.

-- name: rows_with_terms(searches, limit)
-- Find for each search (a list in JSON) the newest rows that hold all its keyed terms, which only match in their own conversation.
SELECT (
    SELECT coalesce(json_agg(newest.id), '[]')::text
    FROM (
        SELECT found.id
        FROM (
            SELECT id FROM archive
            WHERE terms IS NOT NULL AND string_to_array(terms, ' ') @> string_to_array(search.value, ' ')
            OFFSET 0 -- found by the terms, not by walking back through all that was ever said
        ) AS found
        ORDER BY found.id DESC
        LIMIT :limit
    ) AS newest
) AS ids
FROM json_array_elements_text(:searches) WITH ORDINALITY AS search (value, position)
ORDER BY search.position;

-- name: readable_rows(conversation_id, ids)
-- Read those of some rows (ids as JSON) that may be recalled, with their terms, oldest first.
SELECT archive.message_id, archive.is_self, archive.text, archive.terms
FROM archive
WHERE archive.id = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids)))
    AND archive.conversation_id = :conversation_id
    AND archive.terms IS NOT NULL
    AND archive.sensitive = 0
    AND (archive.is_self = 1 OR NOT EXISTS (
        SELECT 1 FROM users WHERE users.id = archive.author_id AND users.opted_out = 1
    ))
ORDER BY archive.id;

-- name: readable_messages(conversation_id, message_ids)
-- Read those of some messages (Discord's ids as JSON) that may be recalled, oldest first.
SELECT
    archive.message_id, archive.author_id, archive.author_name, archive.is_self, archive.text,
    archive.sensitive, archive.sent_at, archive.edited_at,
    conversations.character, conversations.channel_id, conversations.kind, conversations.guild_id,
    conversations.parent_id
FROM archive
JOIN conversations ON conversations.id = archive.conversation_id
WHERE archive.message_id = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:message_ids)))
    AND archive.conversation_id = :conversation_id
    AND archive.text IS NOT NULL
    AND archive.sensitive = 0
    AND (archive.is_self = 1 OR NOT EXISTS (
        SELECT 1 FROM users WHERE users.id = archive.author_id AND users.opted_out = 1
    ))
ORDER BY archive.id;
