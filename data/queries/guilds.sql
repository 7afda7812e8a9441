-- name: guild(guild_id)^
-- Read what the operators of a server chose.
SELECT locale, timezone, answers_bots FROM guild_settings WHERE guild_id = :guild_id;

-- name: ambient_channels(guild_id)
-- Read in which channels of a server the character may speak unasked, and how often.
SELECT channel_id, replies_per_hour FROM ambient_channels WHERE guild_id = :guild_id ORDER BY channel_id;

-- name: put_guild(guild_id, locale, timezone, answers_bots)!
-- Store what the operators of a server chose.
INSERT INTO guild_settings (guild_id, locale, timezone, answers_bots)
VALUES (:guild_id, :locale, :timezone, :answers_bots)
ON CONFLICT (guild_id) DO UPDATE SET
    locale = excluded.locale, timezone = excluded.timezone, answers_bots = excluded.answers_bots;

-- name: clear_ambient_channels(guild_id)!
-- Take back all leave to speak unasked, before the new list is stored.
DELETE FROM ambient_channels WHERE guild_id = :guild_id;

-- name: add_ambient_channel(guild_id, channel_id, replies_per_hour)!
-- Allow speaking unasked in one channel.
INSERT INTO ambient_channels (guild_id, channel_id, replies_per_hour)
VALUES (:guild_id, :channel_id, :replies_per_hour);

-- name: delete_guild(guild_id)!
-- Forget what the operators of a server chose.
DELETE FROM guild_settings WHERE guild_id = :guild_id;
