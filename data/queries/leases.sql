-- name: lease_in_the_way(character, first_shard, last_shard, shard_count, now)^
-- Find a lease that somebody has on any of these shards, or on shards counted otherwise.
SELECT first_shard, last_shard, shard_count, token, holder, expires_at FROM leases
WHERE character = :character
    AND expires_at > :now
    AND (shard_count <> :shard_count OR (first_shard <= :last_shard AND last_shard >= :first_shard))
ORDER BY expires_at DESC
LIMIT 1;

-- name: clear_leases(character, first_shard, last_shard, shard_count)!
-- Take away leases on any of these shards, or on shards counted otherwise.
DELETE FROM leases
WHERE character = :character
    AND (shard_count <> :shard_count OR (first_shard <= :last_shard AND last_shard >= :first_shard));

-- name: add_lease(character, first_shard, last_shard, shard_count, token, holder, expires_at)!
-- Let somebody have shards.
INSERT INTO leases (character, first_shard, last_shard, shard_count, token, holder, expires_at)
VALUES (:character, :first_shard, :last_shard, :shard_count, :token, :holder, :expires_at);

-- name: renew_lease(character, first_shard, last_shard, shard_count, token, now, expires_at)!
-- Let them have the shards for longer, if they still have them.
UPDATE leases SET expires_at = :expires_at
WHERE character = :character
    AND first_shard = :first_shard
    AND last_shard = :last_shard
    AND shard_count = :shard_count
    AND token = :token
    AND expires_at > :now;

-- name: end_lease(character, first_shard, last_shard, shard_count, token)!
-- End a lease. The row stays, so that whoever had the shards before is still refused.
UPDATE leases SET expires_at = 0
WHERE character = :character
    AND first_shard = :first_shard
    AND last_shard = :last_shard
    AND shard_count = :shard_count
    AND token = :token;

-- name: identify_free_at(character, bucket)^
-- Read when the next session may be begun.
SELECT free_at FROM identify_turns WHERE character = :character AND bucket = :bucket;

-- name: take_identify_turn(character, bucket, free_at)!
-- Take a turn; the next one is later.
INSERT INTO identify_turns (character, bucket, free_at) VALUES (:character, :bucket, :free_at)
ON CONFLICT (character, bucket) DO UPDATE SET free_at = excluded.free_at;
