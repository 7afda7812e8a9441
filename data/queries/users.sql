-- name: user(id)^
-- Read what is kept about a person.
SELECT id, locale, seen_locale, timezone, opted_out, notice_shown FROM users WHERE id = :id;

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
