-- What was used on a day by somebody somewhere, and for what with which model. Both are kept beside the calls and changed
-- together with them, so that reports and caps need not go through every call. User 0 is nobody, or somebody forgotten;
-- server 0 is a direct message.
CREATE TABLE usage_days (
    day TEXT COLLATE "C" NOT NULL CHECK (length(day) = 10),
    user_id BIGINT NOT NULL,
    guild_id BIGINT NOT NULL,
    calls BIGINT NOT NULL,
    input_tokens BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    estimated BIGINT NOT NULL,
    cost_micros BIGINT NOT NULL,
    PRIMARY KEY (day, user_id, guild_id)
);

CREATE INDEX usage_days_user ON usage_days (user_id, day);
CREATE INDEX usage_days_guild ON usage_days (guild_id, day);

CREATE TABLE usage_kinds (
    day TEXT COLLATE "C" NOT NULL CHECK (length(day) = 10),
    guild_id BIGINT NOT NULL,
    character TEXT COLLATE "C" NOT NULL,
    feature TEXT COLLATE "C" NOT NULL,
    model TEXT COLLATE "C" NOT NULL,
    calls BIGINT NOT NULL,
    input_tokens BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    estimated BIGINT NOT NULL,
    cost_micros BIGINT NOT NULL,
    PRIMARY KEY (day, guild_id, character, feature, model)
);

CREATE INDEX usage_kinds_guild ON usage_kinds (guild_id, day);

INSERT INTO usage_days (day, user_id, guild_id, calls, input_tokens, output_tokens, estimated, cost_micros)
SELECT day, user_id, coalesce(guild_id, 0), count(*), sum(input_tokens), sum(output_tokens), sum(estimated), sum(cost_micros)
FROM usage
GROUP BY day, user_id, coalesce(guild_id, 0);

INSERT INTO usage_kinds (
    day, guild_id, character, feature, model, calls, input_tokens, output_tokens, estimated, cost_micros
)
SELECT day, coalesce(guild_id, 0), character, feature, model, count(*), sum(input_tokens), sum(output_tokens), sum(estimated), sum(cost_micros)
FROM usage
GROUP BY day, coalesce(guild_id, 0), character, feature, model;

-- Single calls are looked for by whose they were alone.
DROP INDEX usage_user_day;
DROP INDEX usage_guild_day;
DROP INDEX usage_day;
CREATE INDEX usage_user ON usage (user_id, day);
