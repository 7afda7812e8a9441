-- name: fill_subscriptions(character, timezone, first, count, later, span)!
-- Fill a database of the benchmark's own with people who are due later, each at another moment of a span.
INSERT INTO proactive_subscriptions (
    character, kind, recipient_id, enabled, timezone, unanswered, due_at, revision
)
WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < :count - 1)
SELECT :character, 'user', :first + n, 1, :timezone, 0, :later + (n * 7919) % :span, 1 FROM numbers;

-- name: fill_conversations(character, count)!
-- Fill a database of the benchmark's own with channels of a server.
INSERT INTO conversations (character, channel_id, kind, guild_id, term_key)
WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < :count - 1)
SELECT :character, 1000 + n, 'channel', 1 + n % 20, zeroblob(16) FROM numbers;

-- name: fill_archive(count, places, since, span)!
-- Fill it with messages over a span of time.
INSERT INTO archive (id, conversation_id, message_id, author_id, author_name, is_self, text, sensitive, sent_at)
WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < :count - 1)
SELECT 1 + n, 1 + n % :places, 1 + n, 1 + n % 997, 'somebody', n % 2, 'a message of some length about the day ' || n, 0,
    :since + n * :span / :count
FROM numbers;

-- name: fill_traces(count, places, since, span, passed, broken)!
-- Fill it with turns, a twentieth of which broke a rule.
INSERT INTO traces (turn_id, conversation_id, at, user_id, message_ids, reply_ids, outcome, model, steps)
WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < :count - 1)
SELECT 'turn-' || n, 1 + n % :places, :since + n * :span / :count, 1 + n % 997, '[]', '[]',
    CASE WHEN n % 20 = 0 THEN 'repaired' ELSE 'answered' END, 'bench', CASE WHEN n % 20 = 0 THEN :broken ELSE :passed END
FROM numbers;

-- name: fill_slots(character, count, since, span)!
-- Fill it with occasions of speaking first.
INSERT INTO proactive_slots (
    claim_id, character, kind, recipient_id, slot_key, due_at, state, reason, offered, checks
)
WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < :count - 1)
SELECT 'slot-' || n, :character, 'user', 1 + n % 997, 'key-' || n, :since + n * :span / :count,
    CASE WHEN n % 5 = 0 THEN 'sent' ELSE 'skipped' END, CASE WHEN n % 5 = 0 THEN NULL ELSE 'gap' END, '[]', '[]'
FROM numbers;

-- name: fill_usage(character, count, people, month, days)!
-- Fill it with model calls of one month.
INSERT INTO usage (
    at, day, character, user_id, guild_id, feature, model, input_tokens, output_tokens, cost_micros, outcome
)
WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < :count - 1)
SELECT 0, :month || printf('-%02d', 1 + (n * 7919) % :days), :character, 1 + (n * 104729) % :people,
    1 + (n * 1299709) % :people % 20, 'feature-' || n % 6, 'model-' || n % 3, 900, 100, 500, 'complete'
FROM numbers;

-- name: fill_usage_days()!
-- Sum these calls up by day and month, whose they were.
INSERT INTO usage_days (day, user_id, guild_id, calls, input_tokens, output_tokens, estimated, cost_micros)
SELECT day, user_id, guild_id, count(*), sum(input_tokens), sum(output_tokens), sum(estimated), sum(cost_micros)
FROM usage GROUP BY 1, 2, 3
UNION ALL
SELECT substr(day, 1, 8) || '00', user_id, guild_id, count(*), sum(input_tokens), sum(output_tokens), sum(estimated),
    sum(cost_micros)
FROM usage GROUP BY 1, 2, 3;

-- name: fill_usage_kinds()!
-- Sum these calls up by day and month, what they were for.
INSERT INTO usage_kinds (
    day, guild_id, character, feature, model, calls, input_tokens, output_tokens, estimated, cost_micros
)
SELECT day, guild_id, character, feature, model, count(*), sum(input_tokens), sum(output_tokens), sum(estimated),
    sum(cost_micros)
FROM usage GROUP BY 1, 2, 3, 4, 5
UNION ALL
SELECT substr(day, 1, 8) || '00', guild_id, character, feature, model, count(*), sum(input_tokens),
    sum(output_tokens), sum(estimated), sum(cost_micros)
FROM usage GROUP BY 1, 2, 3, 4, 5;
