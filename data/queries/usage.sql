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

-- name: settle_usage(id, model, input_tokens, output_tokens, estimated, cost_micros, outcome)!
-- Put what a call used in the place of what was reserved for it; whose it was may have been forgotten meanwhile.
UPDATE usage
SET model = :model, input_tokens = :input_tokens, output_tokens = :output_tokens, estimated = :estimated,
    cost_micros = :cost_micros, outcome = :outcome
WHERE id = :id;

-- name: totals_of_all(first, last)^
-- Sum up some days, for the cap of the whole program.
SELECT coalesce(sum(input_tokens + output_tokens), 0) AS tokens, coalesce(sum(cost_micros), 0) AS cost_micros,
    count(*) AS calls
FROM usage WHERE day >= :first AND day <= :last;

-- name: totals_of_user(first, last, user_id)^
-- Sum up one person's days, for their cap.
SELECT coalesce(sum(input_tokens + output_tokens), 0) AS tokens, coalesce(sum(cost_micros), 0) AS cost_micros,
    count(*) AS calls
FROM usage WHERE day >= :first AND day <= :last AND user_id = :user_id;

-- name: totals_of_guild(first, last, guild_id)^
-- Sum up one server's days, for its cap.
SELECT coalesce(sum(input_tokens + output_tokens), 0) AS tokens, coalesce(sum(cost_micros), 0) AS cost_micros,
    count(*) AS calls
FROM usage WHERE day >= :first AND day <= :last AND guild_id = :guild_id;

-- name: totals_of_member(first, last, user_id, guild_id)^
-- Sum up what one person used in one server.
SELECT coalesce(sum(input_tokens + output_tokens), 0) AS tokens, coalesce(sum(cost_micros), 0) AS cost_micros,
    count(*) AS calls
FROM usage WHERE day >= :first AND day <= :last AND user_id = :user_id AND guild_id = :guild_id;

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

-- name: usage_by_day(first, last, any_user, user_id, any_guild, guild_id)
-- Sum up the calls of some days by day, of all or of one person or one server.
SELECT day AS name, sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens,
    sum(cost_micros) AS cost_micros, count(*) AS calls, sum(estimated) AS estimated
FROM usage
WHERE day >= :first AND day <= :last AND (:any_user = 1 OR user_id = :user_id)
    AND (:any_guild = 1 OR guild_id = :guild_id)
GROUP BY day
ORDER BY day;

-- name: usage_by_feature(first, last, any_user, user_id, any_guild, guild_id)
-- Sum up the calls of some days by feature, of all or of one person or one server.
SELECT feature AS name, sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens,
    sum(cost_micros) AS cost_micros, count(*) AS calls, sum(estimated) AS estimated
FROM usage
WHERE day >= :first AND day <= :last AND (:any_user = 1 OR user_id = :user_id)
    AND (:any_guild = 1 OR guild_id = :guild_id)
GROUP BY feature
ORDER BY feature;

-- name: usage_by_model(first, last, any_user, user_id, any_guild, guild_id)
-- Sum up the calls of some days by model, of all or of one person or one server.
SELECT model AS name, sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens,
    sum(cost_micros) AS cost_micros, count(*) AS calls, sum(estimated) AS estimated
FROM usage
WHERE day >= :first AND day <= :last AND (:any_user = 1 OR user_id = :user_id)
    AND (:any_guild = 1 OR guild_id = :guild_id)
GROUP BY model
ORDER BY model;

-- name: usage_by_character(first, last, any_user, user_id, any_guild, guild_id)
-- Sum up the calls of some days by character, of all or of one person or one server.
SELECT character AS name, sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens,
    sum(cost_micros) AS cost_micros, count(*) AS calls, sum(estimated) AS estimated
FROM usage
WHERE day >= :first AND day <= :last AND (:any_user = 1 OR user_id = :user_id)
    AND (:any_guild = 1 OR guild_id = :guild_id)
GROUP BY character
ORDER BY character;

-- name: usage_by_user_id(first, last, any_user, user_id, any_guild, guild_id)
-- Sum up the calls of some days by user_id, of all or of one person or one server.
SELECT user_id AS name, sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens,
    sum(cost_micros) AS cost_micros, count(*) AS calls, sum(estimated) AS estimated
FROM usage
WHERE day >= :first AND day <= :last AND (:any_user = 1 OR user_id = :user_id)
    AND (:any_guild = 1 OR guild_id = :guild_id)
GROUP BY user_id
ORDER BY user_id;

-- name: usage_by_guild_id(first, last, any_user, user_id, any_guild, guild_id)
-- Sum up the calls of some days by guild_id, of all or of one person or one server.
SELECT guild_id AS name, sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens,
    sum(cost_micros) AS cost_micros, count(*) AS calls, sum(estimated) AS estimated
FROM usage
WHERE day >= :first AND day <= :last AND (:any_user = 1 OR user_id = :user_id)
    AND (:any_guild = 1 OR guild_id = :guild_id)
GROUP BY guild_id
ORDER BY guild_id NULLS FIRST;
