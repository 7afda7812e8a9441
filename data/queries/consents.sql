-- Who lets characters form impressions of them.

-- name: consent(user_id)^
-- Read since when there is a person's consent.
SELECT given_at FROM memory_consents WHERE user_id = :user_id;

-- name: give_consent(user_id, given_at)!
-- Note a person's consent, unless it is there already or they opted out.
INSERT INTO memory_consents (user_id, given_at)
SELECT :user_id, :given_at
WHERE NOT EXISTS (SELECT 1 FROM users WHERE id = :user_id AND opted_out = 1)
ON CONFLICT (user_id) DO NOTHING;

-- name: withdraw_consent(user_id)!
-- Forget a person's consent; what rests on it refers to this row and goes with it.
DELETE FROM memory_consents WHERE user_id = :user_id;
