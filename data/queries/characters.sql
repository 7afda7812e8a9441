-- name: is_frozen(character)$
-- Ask whether a character is switched off.
SELECT count(*) FROM frozen_characters WHERE character = :character;

-- name: freeze(character)!
-- Switch a character off.
INSERT INTO frozen_characters (character) VALUES (:character) ON CONFLICT (character) DO NOTHING;

-- name: unfreeze(character)!
-- Switch a character on again.
DELETE FROM frozen_characters WHERE character = :character;
