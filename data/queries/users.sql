-- name: user(id)^
-- Read what is kept about a person.
SELECT id, locale, timezone, opted_out, notice_shown, last_seen_at FROM users WHERE id = :id;

-- name: user_seen(id, now)!
-- Note that a person spoke, unless they opted out.
INSERT INTO users (id, last_seen_at) VALUES (:id, :now)
ON CONFLICT (id) DO UPDATE SET last_seen_at = excluded.last_seen_at WHERE users.opted_out = 0;

-- name: set_user_locale(id, locale)!
-- Fix the language a person is answered in, or let it go free.
INSERT INTO users (id, locale) VALUES (:id, :locale)
ON CONFLICT (id) DO UPDATE SET locale = excluded.locale;

-- name: set_user_opted_out(id, opted_out)!
-- Record that a person opted out, or in again.
INSERT INTO users (id, opted_out) VALUES (:id, :opted_out)
ON CONFLICT (id) DO UPDATE SET opted_out = excluded.opted_out;

-- name: set_user_notice_shown(id)!
-- Record that a person was told that this is an AI and what is kept.
INSERT INTO users (id, notice_shown) VALUES (:id, 1)
ON CONFLICT (id) DO UPDATE SET notice_shown = 1;
