-- name: add_draft(character, locale, text, now)^
-- Keep a draft to be decided on; it gets the next number.
INSERT INTO proactive_drafts (character, locale, text, drafted_at) VALUES (:character, :locale, :text, :now)
RETURNING number;

-- name: waiting_drafts(character)
-- List the drafts nobody decided on yet, oldest first.
SELECT number, locale, text FROM proactive_drafts
WHERE character = :character AND approved_at IS NULL
ORDER BY number;

-- name: approved_drafts(character)
-- List the drafts that may be said, oldest first.
SELECT number, locale, text FROM proactive_drafts
WHERE character = :character AND approved_at IS NOT NULL
ORDER BY number;

-- name: approve_draft(character, number, now)!
-- Let a waiting draft be said.
UPDATE proactive_drafts SET approved_at = :now
WHERE character = :character AND number = :number AND approved_at IS NULL;

-- name: reject_draft(character, number)!
-- Delete a draft.
DELETE FROM proactive_drafts WHERE character = :character AND number = :number;
