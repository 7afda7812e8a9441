-- What only SQLite understands: its full-text index, and what keeps deleted text from lingering in its file.

-- name: rows_with_terms(forms, limit, joined, together)
-- Find the newest rows with each of some keyed terms (a list in JSON), which only match in their own conversation, and,
-- without a place in that list, those with two of the rarest where one of the two is in more rows than were looked at.
WITH found AS MATERIALIZED (
    SELECT form.key AS place, form.value AS form, (
        SELECT json_group_array(id) FROM (
            SELECT rowid AS id FROM archive_index WHERE archive_index MATCH form.value ORDER BY rowid DESC LIMIT :limit
        )
    ) AS ids
    FROM json_each(:forms) AS form
),
rarest AS MATERIALIZED (
    SELECT place, form, json_array_length(ids) AS many
    FROM found
    WHERE many > 0
    ORDER BY many, place
    LIMIT :joined
)
SELECT place, ids FROM found
UNION ALL
SELECT NULL, (
    SELECT json_group_array(id) FROM (
        SELECT rowid AS id
        FROM archive_index
        WHERE archive_index MATCH one.form || ' ' || other.form
        ORDER BY rowid DESC
        LIMIT :together
    )
)
FROM rarest AS one
JOIN rarest AS other ON one.place < other.place AND max(one.many, other.many) >= :limit;

-- name: readable_rows(conversation_id, ids)
-- Read those of some rows (ids as JSON) that may be recalled, with their terms, oldest first; a row is looked up by its id.
SELECT archive.message_id, archive.is_self, archive.text, archive.terms
FROM json_each(:ids)
CROSS JOIN archive ON archive.id = json_each.value
WHERE archive.conversation_id = :conversation_id
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
FROM json_each(:message_ids)
CROSS JOIN archive ON archive.message_id = json_each.value AND archive.conversation_id = :conversation_id
CROSS JOIN conversations ON conversations.id = archive.conversation_id
WHERE archive.text IS NOT NULL
    AND archive.sensitive = 0
    AND (archive.is_self = 1 OR NOT EXISTS (
        SELECT 1 FROM users WHERE users.id = archive.author_id AND users.opted_out = 1
    ))
ORDER BY archive.id;

-- name: begin_index_merge(pages)!
-- Start merging all of the index into one piece, which drops the entries of deleted messages.
INSERT INTO archive_index (archive_index, rank) VALUES ('merge', -:pages);

-- name: continue_index_merge(pages)!
-- Go on merging; when fewer than two changes were made there is nothing left to merge.
INSERT INTO archive_index (archive_index, rank) VALUES ('merge', :pages);

-- name: changes_so_far()$
-- Count what this connection changed, to see whether a merge did anything.
SELECT total_changes();

-- name: widen_cache()!
-- Keep up to 32 MB of pages in memory: what one person said lies scattered over the file, a page or two for each message.
PRAGMA cache_size = -32768;

-- name: narrow_cache()!
-- Let go of all but the usual 2 MB of pages.
PRAGMA cache_size = -2000;

-- name: truncate_log()^
-- Move the write-ahead log into the database and empty it: it still holds what was deleted.
PRAGMA wal_checkpoint (TRUNCATE);

-- name: rewrite_file()!
-- Write the file anew: balancing its pages leaves copies of rows behind which deleting can't reach.
VACUUM;

-- name: file_size()$
-- Measure the database in bytes, to judge how long rewriting it takes.
SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size();

-- name: pending_erasure()$
-- Ask how many messages were deleted or edited since the file was last rewritten.
SELECT pending FROM erasure;

-- name: erasure_done(counted)!
-- Note that the remains of so many messages are gone; those deleted meanwhile stay pending.
UPDATE erasure SET pending = max(0, pending - :counted);
