-- What people told about themselves and asked to have kept.

-- name: kept_facts(user_id)
-- List a person's facts in the order of their numbers.
SELECT number, text, told_at FROM kept_facts WHERE user_id = :user_id ORDER BY number;

-- name: keep_fact(user_id, text, told_at)^
-- Keep a fact under the next free number.
INSERT INTO kept_facts (user_id, number, text, told_at)
SELECT :user_id, coalesce(max(number), 0) + 1, :text, :told_at FROM kept_facts WHERE user_id = :user_id
RETURNING number;

-- name: delete_fact(user_id, number)!
-- Forget one fact.
DELETE FROM kept_facts WHERE user_id = :user_id AND number = :number;
