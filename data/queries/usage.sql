-- name: add_usage(at, day, character, user_id, guild_id, feature, model, input_tokens, output_tokens, cost_micros, outcome)!
-- Count one model call.
INSERT INTO usage (
    at, day, character, user_id, guild_id, feature, model, input_tokens, output_tokens, cost_micros, outcome
)
VALUES (
    :at, :day, :character, :user_id, :guild_id, :feature, :model, :input_tokens, :output_tokens, :cost_micros, :outcome
);

-- name: totals_of_all(day)^
-- Sum up a day, for the budget of the whole program.
SELECT coalesce(sum(input_tokens + output_tokens), 0) AS tokens, coalesce(sum(cost_micros), 0) AS cost_micros,
    count(*) AS calls
FROM usage WHERE day = :day;

-- name: totals_of_user(day, user_id)^
-- Sum up one person's day, for their budget.
SELECT coalesce(sum(input_tokens + output_tokens), 0) AS tokens, coalesce(sum(cost_micros), 0) AS cost_micros,
    count(*) AS calls
FROM usage WHERE day = :day AND user_id = :user_id;

-- name: totals_of_guild(day, guild_id)^
-- Sum up one server's day, for its budget.
SELECT coalesce(sum(input_tokens + output_tokens), 0) AS tokens, coalesce(sum(cost_micros), 0) AS cost_micros,
    count(*) AS calls
FROM usage WHERE day = :day AND guild_id = :guild_id;

-- name: totals_of_member(day, user_id, guild_id)^
-- Sum up what one person used in one server in a day.
SELECT coalesce(sum(input_tokens + output_tokens), 0) AS tokens, coalesce(sum(cost_micros), 0) AS cost_micros,
    count(*) AS calls
FROM usage WHERE day = :day AND user_id = :user_id AND guild_id = :guild_id;

-- name: forget_whose(before)!
-- Keep only the numbers of calls whose time is over.
UPDATE usage SET user_id = 0, at = NULL WHERE at < :before;
