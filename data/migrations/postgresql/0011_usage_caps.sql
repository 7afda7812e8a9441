-- Whether a call's tokens were counted here because its server gave none.
ALTER TABLE usage ADD COLUMN estimated SMALLINT NOT NULL DEFAULT 0 CHECK (estimated IN (0, 1));

-- What an operator was told of a cap, so that they are told once in its period. `cap` names whose it is, never a person.
CREATE TABLE cap_warnings (
    cap TEXT NOT NULL,
    first_day TEXT COLLATE "C" NOT NULL CHECK (length(first_day) = 10),
    percent BIGINT NOT NULL,
    PRIMARY KEY (cap, first_day, percent)
);

-- Sums go over days of a person, of a server, or of all; what is summed stands in the index, so that no row is read.
DROP INDEX usage_day_user;
DROP INDEX usage_day_guild;
DROP INDEX usage_user;
CREATE INDEX usage_user_day ON usage (user_id, day, input_tokens, output_tokens, cost_micros);
CREATE INDEX usage_guild_day ON usage (guild_id, day, input_tokens, output_tokens, cost_micros);
CREATE INDEX usage_day ON usage (day, input_tokens, output_tokens, cost_micros);
