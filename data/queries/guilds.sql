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

-- name: claim_welcome(guild_id, character)!
-- Note that a character greets a server; nothing changes where it did already.
INSERT INTO welcomed_guilds (guild_id, character) VALUES (:guild_id, :character)
ON CONFLICT (guild_id, character) DO NOTHING;

-- name: allowed_phrases(guild_id)
-- Read the phrases over which a server's operators let replies pass.
SELECT phrase FROM allowed_phrases WHERE guild_id = :guild_id ORDER BY id;

-- name: allow_phrase(guild_id, phrase, most)!
-- Add a phrase, unless it is there already or there are too many.
INSERT INTO allowed_phrases (guild_id, phrase)
SELECT :guild_id, :phrase
WHERE (SELECT count(*) FROM allowed_phrases WHERE guild_id = :guild_id) < :most
ON CONFLICT (guild_id, phrase) DO NOTHING;

-- name: remove_phrase(guild_id, phrase)!
-- Take a phrase back.
DELETE FROM allowed_phrases WHERE guild_id = :guild_id AND phrase = :phrase;

-- name: remove_all_phrases(guild_id)!
-- Take back all phrases of a server.
DELETE FROM allowed_phrases WHERE guild_id = :guild_id;

-- name: delete_guild(guild_id)!
-- Forget what the operators of a server chose.
DELETE FROM guild_settings WHERE guild_id = :guild_id;
