-- name: add_usage(at, day, character, user_id, guild_id, feature, model, input_tokens, output_tokens, estimated, cost_micros, outcome)$
-- Count one model call, made or about to be made.
INSERT INTO usage (
    at, day, character, user_id, guild_id, feature, model, input_tokens, output_tokens, estimated, cost_micros, outcome
)
VALUES (
    :at, :day, :character, :user_id, :guild_id, :feature, :model, :input_tokens, :output_tokens, :estimated,
    :cost_micros, :outcome
)
RETURNING id;

-- name: count_in_days(day, user_id, guild_id, input_tokens, output_tokens, estimated, cost_micros)!
-- Add a call to what its person used on its day, and in its month.
INSERT INTO usage_days (day, user_id, guild_id, calls, input_tokens, output_tokens, estimated, cost_micros)
SELECT CASE WHEN is_month = 1 THEN substr(CAST(:day AS TEXT), 1, 8) || '00' ELSE CAST(:day AS TEXT) END, :user_id,
    coalesce(CAST(:guild_id AS BIGINT), 0), 1, :input_tokens, :output_tokens, :estimated, :cost_micros
FROM (SELECT 0 AS is_month UNION ALL SELECT 1) AS spans
WHERE true
ON CONFLICT (day, user_id, guild_id) DO UPDATE
SET calls = usage_days.calls + excluded.calls, input_tokens = usage_days.input_tokens + excluded.input_tokens,
    output_tokens = usage_days.output_tokens + excluded.output_tokens,
    estimated = usage_days.estimated + excluded.estimated, cost_micros = usage_days.cost_micros + excluded.cost_micros;

-- name: count_in_kinds(day, guild_id, character, feature, model, input_tokens, output_tokens, estimated, cost_micros)!
-- Add a call to what was used for its purpose on its day, and in its month.
INSERT INTO usage_kinds (
    day, guild_id, character, feature, model, calls, input_tokens, output_tokens, estimated, cost_micros
)
SELECT CASE WHEN is_month = 1 THEN substr(CAST(:day AS TEXT), 1, 8) || '00' ELSE CAST(:day AS TEXT) END,
    coalesce(CAST(:guild_id AS BIGINT), 0), CAST(:character AS TEXT), CAST(:feature AS TEXT), CAST(:model AS TEXT), 1,
    :input_tokens, :output_tokens, :estimated, :cost_micros
FROM (SELECT 0 AS is_month UNION ALL SELECT 1) AS spans
WHERE true
ON CONFLICT (day, guild_id, character, feature, model) DO UPDATE
SET calls = usage_kinds.calls + excluded.calls, input_tokens = usage_kinds.input_tokens + excluded.input_tokens,
    output_tokens = usage_kinds.output_tokens + excluded.output_tokens,
    estimated = usage_kinds.estimated + excluded.estimated,
    cost_micros = usage_kinds.cost_micros + excluded.cost_micros;

-- name: recount_in_days(id, input_tokens, output_tokens, estimated, cost_micros)!
-- Put what a call used, on its person's day and in their month, in the place of what was counted for it, before it changes.
INSERT INTO usage_days (day, user_id, guild_id, calls, input_tokens, output_tokens, estimated, cost_micros)
SELECT CASE WHEN is_month = 1 THEN substr(day, 1, 8) || '00' ELSE day END, user_id, coalesce(guild_id, 0), 0,
    :input_tokens - input_tokens, :output_tokens - output_tokens, :estimated - estimated, :cost_micros - cost_micros
FROM usage CROSS JOIN (SELECT 0 AS is_month UNION ALL SELECT 1) AS spans
WHERE id = :id
ON CONFLICT (day, user_id, guild_id) DO UPDATE
SET input_tokens = usage_days.input_tokens + excluded.input_tokens,
    output_tokens = usage_days.output_tokens + excluded.output_tokens,
    estimated = usage_days.estimated + excluded.estimated, cost_micros = usage_days.cost_micros + excluded.cost_micros;

-- name: recount_in_kinds(id, model, input_tokens, output_tokens, estimated, cost_micros)!
-- Put what a call used, for its purpose, in the place of what was counted for it, before it changes.
INSERT INTO usage_kinds (
    day, guild_id, character, feature, model, calls, input_tokens, output_tokens, estimated, cost_micros
)
SELECT CASE WHEN is_month = 1 THEN substr(day, 1, 8) || '00' ELSE day END AS span, guild_id, character, feature, model,
    sum(calls), sum(input_tokens), sum(output_tokens), sum(estimated), sum(cost_micros)
FROM (
    SELECT day, coalesce(guild_id, 0) AS guild_id, character, feature, model, -1 AS calls,
        -input_tokens AS input_tokens, -output_tokens AS output_tokens, -estimated AS estimated,
        -cost_micros AS cost_micros
    FROM usage WHERE id = :id
    UNION ALL
    SELECT day, coalesce(guild_id, 0), character, feature, CAST(:model AS TEXT), 1, :input_tokens, :output_tokens,
        :estimated, :cost_micros
    FROM usage WHERE id = :id
) AS changed CROSS JOIN (SELECT 0 AS is_month UNION ALL SELECT 1) AS spans
GROUP BY span, guild_id, character, feature, model
ON CONFLICT (day, guild_id, character, feature, model) DO UPDATE
SET calls = usage_kinds.calls + excluded.calls, input_tokens = usage_kinds.input_tokens + excluded.input_tokens,
    output_tokens = usage_kinds.output_tokens + excluded.output_tokens,
    estimated = usage_kinds.estimated + excluded.estimated,
    cost_micros = usage_kinds.cost_micros + excluded.cost_micros;

-- name: settle_usage(id, model, input_tokens, output_tokens, estimated, cost_micros, outcome)!
-- Put what a call used in the place of what was reserved for it; whose it was may have been forgotten meanwhile.
UPDATE usage
SET model = :model, input_tokens = :input_tokens, output_tokens = :output_tokens, estimated = :estimated,
    cost_micros = :cost_micros, outcome = :outcome
WHERE id = :id;

-- name: totals_of_all(first, last)^
-- Sum up some days, for the cap of the whole program.
SELECT coalesce(sum(input_tokens + output_tokens), 0) AS tokens, coalesce(sum(cost_micros), 0) AS cost_micros,
    coalesce(sum(calls), 0) AS calls
FROM usage_kinds WHERE day >= :first AND day <= :last AND substr(day, 9, 2) <> '00';

-- name: totals_of_user(first, last, user_id)^
-- Sum up one person's days, for their cap.
SELECT coalesce(sum(input_tokens + output_tokens), 0) AS tokens, coalesce(sum(cost_micros), 0) AS cost_micros,
    coalesce(sum(calls), 0) AS calls
FROM usage_days WHERE day >= :first AND day <= :last AND substr(day, 9, 2) <> '00' AND user_id = :user_id;

-- name: totals_of_guild(first, last, guild_id)^
-- Sum up one server's days, for its cap.
SELECT coalesce(sum(input_tokens + output_tokens), 0) AS tokens, coalesce(sum(cost_micros), 0) AS cost_micros,
    coalesce(sum(calls), 0) AS calls
FROM usage_kinds WHERE day >= :first AND day <= :last AND substr(day, 9, 2) <> '00' AND guild_id = :guild_id;

-- name: totals_of_member(first, last, user_id, guild_id)^
-- Sum up what one person used in one server.
SELECT coalesce(sum(input_tokens + output_tokens), 0) AS tokens, coalesce(sum(cost_micros), 0) AS cost_micros,
    coalesce(sum(calls), 0) AS calls
FROM usage_days WHERE day >= :first AND day <= :last AND substr(day, 9, 2) <> '00' AND user_id = :user_id AND guild_id = :guild_id;

-- name: add_old_calls_to_nobody(before)!
-- Add the calls whose time is over to what nobody used, before it is forgotten whose they were.
INSERT INTO usage_days (day, user_id, guild_id, calls, input_tokens, output_tokens, estimated, cost_micros)
SELECT CASE WHEN is_month = 1 THEN substr(day, 1, 8) || '00' ELSE day END AS span, 0, coalesce(guild_id, 0) AS place,
    count(*), sum(input_tokens), sum(output_tokens), sum(estimated), sum(cost_micros)
FROM usage CROSS JOIN (SELECT 0 AS is_month UNION ALL SELECT 1) AS spans
WHERE at < :before AND user_id <> 0
GROUP BY span, place
ON CONFLICT (day, user_id, guild_id) DO UPDATE
SET calls = usage_days.calls + excluded.calls, input_tokens = usage_days.input_tokens + excluded.input_tokens,
    output_tokens = usage_days.output_tokens + excluded.output_tokens,
    estimated = usage_days.estimated + excluded.estimated, cost_micros = usage_days.cost_micros + excluded.cost_micros;

-- name: take_old_calls_from_people(before)!
-- Take the calls whose time is over from what people used, before it is forgotten whose they were.
INSERT INTO usage_days (day, user_id, guild_id, calls, input_tokens, output_tokens, estimated, cost_micros)
SELECT CASE WHEN is_month = 1 THEN substr(day, 1, 8) || '00' ELSE day END AS span, user_id, coalesce(guild_id, 0) AS place,
    -count(*), -sum(input_tokens), -sum(output_tokens), -sum(estimated), -sum(cost_micros)
FROM usage CROSS JOIN (SELECT 0 AS is_month UNION ALL SELECT 1) AS spans
WHERE at < :before AND user_id <> 0
GROUP BY span, user_id, place
ON CONFLICT (day, user_id, guild_id) DO UPDATE
SET calls = usage_days.calls + excluded.calls, input_tokens = usage_days.input_tokens + excluded.input_tokens,
    output_tokens = usage_days.output_tokens + excluded.output_tokens,
    estimated = usage_days.estimated + excluded.estimated, cost_micros = usage_days.cost_micros + excluded.cost_micros;

-- name: drop_empty_days()!
-- Drop the days and months of people in which nothing is left.
DELETE FROM usage_days WHERE calls = 0;

-- name: forget_whose(before)!
-- Keep only the numbers of calls whose time is over.
UPDATE usage SET user_id = 0, at = NULL WHERE at < :before;

-- name: claim_cap_warning(cap, first_day, percent)!
-- Note that somebody is told of a cap; nothing changes where they were already.
INSERT INTO cap_warnings (cap, first_day, percent) VALUES (:cap, :first_day, :percent)
ON CONFLICT (cap, first_day, percent) DO NOTHING;

-- name: drop_cap_warnings(before)!
-- Drop what was noted of periods that are long over.
DELETE FROM cap_warnings WHERE first_day < :before;

-- name: is_used_between(first, last)^
-- Look whether anything was used on some days.
SELECT 1 AS found FROM usage_kinds WHERE day >= :first AND day <= :last LIMIT 1;

-- name: usage_by_day(first, last, whole, any_guild, guild_id)
-- Sum up what was used on some days by day, of all or of one server.
SELECT day AS name, sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens,
    sum(cost_micros) AS cost_micros, sum(calls) AS calls, sum(estimated) AS estimated
FROM usage_kinds
WHERE day >= :first AND day <= :last AND CASE WHEN substr(day, 9, 2) = '00' THEN 1 ELSE 0 END = :whole
    AND (:any_guild = 1 OR guild_id = :guild_id)
GROUP BY day
HAVING sum(calls) > 0
ORDER BY day;

-- name: usage_by_feature(first, last, whole, any_guild, guild_id)
-- Sum up what was used on some days (or in whole months) by feature, of all or of one server.
SELECT feature AS name, sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens,
    sum(cost_micros) AS cost_micros, sum(calls) AS calls, sum(estimated) AS estimated
FROM usage_kinds
WHERE day >= :first AND day <= :last AND CASE WHEN substr(day, 9, 2) = '00' THEN 1 ELSE 0 END = :whole
    AND (:any_guild = 1 OR guild_id = :guild_id)
GROUP BY feature
HAVING sum(calls) > 0
ORDER BY feature;

-- name: usage_by_model(first, last, whole, any_guild, guild_id)
-- Sum up what was used on some days (or in whole months) by model, of all or of one server.
SELECT model AS name, sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens,
    sum(cost_micros) AS cost_micros, sum(calls) AS calls, sum(estimated) AS estimated
FROM usage_kinds
WHERE day >= :first AND day <= :last AND CASE WHEN substr(day, 9, 2) = '00' THEN 1 ELSE 0 END = :whole
    AND (:any_guild = 1 OR guild_id = :guild_id)
GROUP BY model
HAVING sum(calls) > 0
ORDER BY model;

-- name: usage_by_character(first, last, whole, any_guild, guild_id)
-- Sum up what was used on some days (or in whole months) by character, of all or of one server.
SELECT character AS name, sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens,
    sum(cost_micros) AS cost_micros, sum(calls) AS calls, sum(estimated) AS estimated
FROM usage_kinds
WHERE day >= :first AND day <= :last AND CASE WHEN substr(day, 9, 2) = '00' THEN 1 ELSE 0 END = :whole
    AND (:any_guild = 1 OR guild_id = :guild_id)
GROUP BY character
HAVING sum(calls) > 0
ORDER BY character;

-- name: usage_by_guild_id(first, last, whole, any_guild, guild_id)
-- Sum up what was used on some days (or in whole months) by server, of all or of one server.
SELECT nullif(guild_id, 0) AS name, sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens,
    sum(cost_micros) AS cost_micros, sum(calls) AS calls, sum(estimated) AS estimated
FROM usage_kinds
WHERE day >= :first AND day <= :last AND CASE WHEN substr(day, 9, 2) = '00' THEN 1 ELSE 0 END = :whole
    AND (:any_guild = 1 OR guild_id = :guild_id)
GROUP BY guild_id
HAVING sum(calls) > 0
ORDER BY guild_id;

-- name: usage_by_user_id(first, last, whole, any_guild, guild_id)
-- Sum up what was used on some days (or in whole months) by person, of all or of one server.
SELECT user_id AS name, sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens,
    sum(cost_micros) AS cost_micros, sum(calls) AS calls, sum(estimated) AS estimated
FROM usage_days
WHERE day >= :first AND day <= :last AND CASE WHEN substr(day, 9, 2) = '00' THEN 1 ELSE 0 END = :whole
    AND (:any_guild = 1 OR guild_id = :guild_id)
GROUP BY user_id
HAVING sum(calls) > 0
ORDER BY user_id;

-- name: usage_of_person_by_day(first, last, user_id, any_guild, guild_id)
-- Sum up a person's calls of some days by day, in all places or in one server.
SELECT day AS name, sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens,
    sum(cost_micros) AS cost_micros, count(*) AS calls, sum(estimated) AS estimated
FROM usage
WHERE user_id = :user_id AND day >= :first AND day <= :last AND (:any_guild = 1 OR guild_id = :guild_id)
GROUP BY day
ORDER BY day;

-- name: usage_of_person_by_feature(first, last, user_id, any_guild, guild_id)
-- Sum up a person's calls of some days by feature, in all places or in one server.
SELECT feature AS name, sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens,
    sum(cost_micros) AS cost_micros, count(*) AS calls, sum(estimated) AS estimated
FROM usage
WHERE user_id = :user_id AND day >= :first AND day <= :last AND (:any_guild = 1 OR guild_id = :guild_id)
GROUP BY feature
ORDER BY feature;

-- name: usage_of_person_by_model(first, last, user_id, any_guild, guild_id)
-- Sum up a person's calls of some days by model, in all places or in one server.
SELECT model AS name, sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens,
    sum(cost_micros) AS cost_micros, count(*) AS calls, sum(estimated) AS estimated
FROM usage
WHERE user_id = :user_id AND day >= :first AND day <= :last AND (:any_guild = 1 OR guild_id = :guild_id)
GROUP BY model
ORDER BY model;

-- name: usage_of_person_by_character(first, last, user_id, any_guild, guild_id)
-- Sum up a person's calls of some days by character, in all places or in one server.
SELECT character AS name, sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens,
    sum(cost_micros) AS cost_micros, count(*) AS calls, sum(estimated) AS estimated
FROM usage
WHERE user_id = :user_id AND day >= :first AND day <= :last AND (:any_guild = 1 OR guild_id = :guild_id)
GROUP BY character
ORDER BY character;

-- name: usage_of_person_by_guild_id(first, last, user_id, any_guild, guild_id)
-- Sum up a person's calls of some days by server, in all places or in one server.
SELECT guild_id AS name, sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens,
    sum(cost_micros) AS cost_micros, count(*) AS calls, sum(estimated) AS estimated
FROM usage
WHERE user_id = :user_id AND day >= :first AND day <= :last AND (:any_guild = 1 OR guild_id = :guild_id)
GROUP BY guild_id
ORDER BY guild_id NULLS FIRST;

-- name: usage_of_person_by_user_id(first, last, user_id, any_guild, guild_id)
-- Sum up a person's calls of some days by person, in all places or in one server.
SELECT user_id AS name, sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens,
    sum(cost_micros) AS cost_micros, count(*) AS calls, sum(estimated) AS estimated
FROM usage
WHERE user_id = :user_id AND day >= :first AND day <= :last AND (:any_guild = 1 OR guild_id = :guild_id)
GROUP BY user_id
ORDER BY user_id;
