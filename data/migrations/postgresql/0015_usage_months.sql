-- Sums of whole months stand beside those of days, under the day 00: telling a month takes a row for every person and
-- purpose, not for every one of them on every day.
INSERT INTO usage_days (day, user_id, guild_id, calls, input_tokens, output_tokens, estimated, cost_micros)
SELECT substr(day, 1, 8) || '00', user_id, guild_id, sum(calls), sum(input_tokens), sum(output_tokens), sum(estimated),
    sum(cost_micros)
FROM usage_days
GROUP BY substr(day, 1, 8) || '00', user_id, guild_id;

INSERT INTO usage_kinds (
    day, guild_id, character, feature, model, calls, input_tokens, output_tokens, estimated, cost_micros
)
SELECT substr(day, 1, 8) || '00', guild_id, character, feature, model, sum(calls), sum(input_tokens), sum(output_tokens),
    sum(estimated), sum(cost_micros)
FROM usage_kinds
GROUP BY substr(day, 1, 8) || '00', guild_id, character, feature, model;

-- Counting how slots ended reads nothing but this.
DROP INDEX proactive_slots_due;
CREATE INDEX proactive_slots_due ON proactive_slots (due_at, character, state, reason);
