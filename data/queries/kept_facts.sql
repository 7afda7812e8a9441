-- What people told about themselves and asked to have kept.

-- name: kept_facts(user_id)
-- List a person's facts in the order of their numbers.
SELECT number, text, told_at FROM kept_facts WHERE user_id = :user_id ORDER BY number;

-- name: number_fact(user_id)^
-- Take a number that none of a person's facts ever had.
INSERT INTO users (id, last_fact_number) VALUES (:user_id, 1)
ON CONFLICT (id) DO UPDATE SET last_fact_number = users.last_fact_number + 1
RETURNING last_fact_number;

-- name: keep_fact(user_id, number, text, told_at)!
-- Keep a fact under a number of its own.
INSERT INTO kept_facts (user_id, number, text, told_at) VALUES (:user_id, :number, :text, :told_at);

-- name: delete_fact(user_id, number)!
-- Forget one fact.
DELETE FROM kept_facts WHERE user_id = :user_id AND number = :number;
