-- name: user(id)^
-- Read what is kept about a person.
SELECT id, locale, seen_locale, timezone, opted_out, notice_shown FROM users WHERE id = :id;

-- name: encounter(user_id, character, channel_id, now)
-- Read what is known of whoever speaks, and their talk if it is still open: a row for each fact of theirs, one at least.
SELECT users.locale, users.seen_locale, users.timezone, users.opted_out, users.notice_shown, acquaintances.last_seen_at,
    sessions.started_at, sessions.last_active_at, sessions.turns, kept_facts.number, kept_facts.text, kept_facts.told_at,
    kept_facts.source_message_id, kept_facts.source_channel_id, kept_facts.source_guild_id, kept_facts.source_parent_id
FROM (SELECT CAST(:user_id AS BIGINT) AS id, CAST(:character AS TEXT) AS character) AS speaker
LEFT JOIN users ON users.id = speaker.id
LEFT JOIN acquaintances ON acquaintances.user_id = speaker.id AND acquaintances.character = speaker.character
LEFT JOIN conversations
    ON conversations.character = speaker.character AND conversations.channel_id = CAST(:channel_id AS BIGINT)
LEFT JOIN sessions ON sessions.conversation_id = conversations.id AND sessions.expires_at > CAST(:now AS BIGINT)
LEFT JOIN kept_facts ON kept_facts.user_id = speaker.id
ORDER BY kept_facts.number;

-- name: user_seen(id, locale)!
-- Note that there is a person and in which language they spoke, if that could be told, unless they opted out.
INSERT INTO users (id, seen_locale) VALUES (:id, :locale)
ON CONFLICT (id) DO UPDATE SET seen_locale = coalesce(excluded.seen_locale, users.seen_locale)
WHERE users.opted_out = 0;

-- name: acquaintance_seen(user_id, character, now)!
-- Note when a person spoke to a character, unless they opted out.
INSERT INTO acquaintances (user_id, character, last_seen_at)
SELECT id, :character, :now FROM users WHERE id = :user_id AND opted_out = 0
ON CONFLICT (user_id, character) DO UPDATE SET last_seen_at = excluded.last_seen_at;

-- name: acquaintance(user_id, character)^
-- Read when a person last spoke to a character.
SELECT last_seen_at FROM acquaintances WHERE user_id = :user_id AND character = :character;

-- name: set_user_locale(id, locale)!
-- Fix the language a person is answered in, or let it go free.
INSERT INTO users (id, locale) VALUES (:id, :locale)
ON CONFLICT (id) DO UPDATE SET locale = excluded.locale;

-- name: set_user_timezone(id, timezone)!
-- Set the zone a person lives in, or forget it.
INSERT INTO users (id, timezone) VALUES (:id, :timezone)
ON CONFLICT (id) DO UPDATE SET timezone = excluded.timezone;

-- name: set_user_opted_out(id, opted_out)!
-- Record that a person opted out, or in again.
INSERT INTO users (id, opted_out) VALUES (:id, :opted_out)
ON CONFLICT (id) DO UPDATE SET opted_out = excluded.opted_out;

-- name: set_user_notice_shown(id)!
-- Record that a person was told that this is an AI and what is kept.
INSERT INTO users (id, notice_shown) VALUES (:id, 1)
ON CONFLICT (id) DO UPDATE SET notice_shown = 1;
