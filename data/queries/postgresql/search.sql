-- Full text without an extension: an index over the keyed terms of each row as an array.

-- name: rows_with_terms(forms, limit, joined, together)
-- Find the newest rows with each of some keyed terms (a list in JSON), which only match in their own conversation, and,
-- without a place in that list, those with two of the rarest where one of the two is in more rows than were looked at.
WITH found AS MATERIALIZED (
    SELECT form.place, form.value AS form, ARRAY(
        SELECT holding.id
        FROM (
            SELECT id FROM archive
            WHERE terms IS NOT NULL AND string_to_array(terms, ' ') @> ARRAY[form.value]
            OFFSET 0 -- found by the terms, not by walking back through all that was ever said
        ) AS holding
        ORDER BY holding.id DESC
        LIMIT :limit
    ) AS ids
    FROM json_array_elements_text(:forms) WITH ORDINALITY AS form (value, place)
),
rarest AS MATERIALIZED (
    SELECT place, form, cardinality(ids) AS many
    FROM found
    WHERE cardinality(ids) > 0
    ORDER BY many, place
    LIMIT :joined
)
SELECT place - 1 AS place, array_to_json(ids)::text AS ids FROM found
UNION ALL
SELECT NULL, array_to_json(ARRAY(
    SELECT holding.id
    FROM (
        SELECT id FROM archive
        WHERE terms IS NOT NULL AND string_to_array(terms, ' ') @> ARRAY[one.form, other.form]
        OFFSET 0
    ) AS holding
    ORDER BY holding.id DESC
    LIMIT :together
))::text
FROM rarest AS one
JOIN rarest AS other ON one.place < other.place AND greatest(one.many, other.many) >= :limit;

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
