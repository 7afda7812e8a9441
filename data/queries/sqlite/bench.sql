-- name: fill_subscriptions(character, timezone, first, count, later, span)!
-- Fill a database of the benchmark's own with people who are due later, each at another moment of a span.
INSERT INTO proactive_subscriptions (
    character, kind, recipient_id, enabled, timezone, unanswered, due_at, revision
)
WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < :count - 1)
SELECT :character, 'user', :first + n, 1, :timezone, 0, :later + (n * 7919) % :span, 1 FROM numbers;
