-- name: subscription(character, kind, recipient_id)^
-- Read what a recipient chose and where that stands.
SELECT character, kind, recipient_id, enabled, timezone, windows, quiet_hours, per_day, minimum_gap_minutes, locale,
    guild_id, chosen_by, paused_until, suspended_until, spoke_at, unanswered, due_at, revision
FROM proactive_subscriptions
WHERE character = :character AND kind = :kind AND recipient_id = :recipient_id;

-- name: put_subscription(character, kind, recipient_id, enabled, timezone, windows, quiet_hours, per_day, minimum_gap_minutes, locale, guild_id, chosen_by, paused_until, suspended_until, spoke_at, unanswered, due_at, whatever, known)^
-- Store what a recipient chose, if they have chosen nothing since it was at the `known` revision, or `whatever` they
-- chose; what code keeps about them (suspension, when they spoke, unanswered) stays as it is.
INSERT INTO proactive_subscriptions (
    character, kind, recipient_id, enabled, timezone, windows, quiet_hours, per_day, minimum_gap_minutes, locale,
    guild_id, chosen_by, paused_until, suspended_until, spoke_at, unanswered, due_at, revision
)
SELECT
    :character, :kind, :recipient_id, :enabled, :timezone, :windows, :quiet_hours, :per_day, :minimum_gap_minutes,
    :locale, :guild_id, :chosen_by, :paused_until, :suspended_until, :spoke_at, :unanswered, :due_at, 1
WHERE :whatever = 1 OR :known = 0 OR EXISTS (
    SELECT 1 FROM proactive_subscriptions
    WHERE character = :character AND kind = :kind AND recipient_id = :recipient_id
)
ON CONFLICT (character, kind, recipient_id) DO UPDATE SET
    enabled = excluded.enabled, timezone = excluded.timezone, windows = excluded.windows,
    quiet_hours = excluded.quiet_hours, per_day = excluded.per_day,
    minimum_gap_minutes = excluded.minimum_gap_minutes, locale = excluded.locale, guild_id = excluded.guild_id,
    chosen_by = excluded.chosen_by, paused_until = excluded.paused_until, due_at = excluded.due_at,
    revision = proactive_subscriptions.revision + 1
WHERE :whatever = 1 OR proactive_subscriptions.revision = :known
RETURNING *;

-- name: delete_subscription(character, kind, recipient_id)!
-- Forget what a recipient chose.
DELETE FROM proactive_subscriptions
WHERE character = :character AND kind = :kind AND recipient_id = :recipient_id;

-- name: disable_subscription(character, kind, recipient_id, revision)!
-- Stop speaking to a recipient who can't be reached, unless they have chosen anew meanwhile.
UPDATE proactive_subscriptions SET enabled = 0, due_at = NULL, revision = revision + 1
WHERE character = :character AND kind = :kind AND recipient_id = :recipient_id AND revision = :revision;

-- name: subscriptions_of_guild(guild_id, character)
-- Read which channels of a server a character speaks first in.
SELECT character, kind, recipient_id, enabled, timezone, windows, quiet_hours, per_day, minimum_gap_minutes, locale,
    guild_id, chosen_by, paused_until, suspended_until, spoke_at, unanswered, due_at, revision
FROM proactive_subscriptions
WHERE guild_id = :guild_id AND character = :character
ORDER BY recipient_id;

-- name: due_subscriptions(character, now, beyond, first_shard, last_shard, shard_count, limit)
-- Find who is due, the longest due first; and who would be due later than anybody can be, the clock having been wrong.
SELECT * FROM proactive_subscriptions
WHERE character = :character AND enabled = 1 AND due_at <= :now
    AND (coalesce(guild_id, 0) >> 22) % :shard_count BETWEEN :first_shard AND :last_shard
UNION ALL
SELECT * FROM proactive_subscriptions
WHERE character = :character AND enabled = 1 AND due_at > :beyond
    AND (coalesce(guild_id, 0) >> 22) % :shard_count BETWEEN :first_shard AND :last_shard
ORDER BY due_at
LIMIT :limit;

-- name: schedule_subscription(character, kind, recipient_id, due_at, revision, spoke_at, worker)!
-- Set when a recipient is due next, unless they changed their mind or spoke meanwhile.
UPDATE proactive_subscriptions SET due_at = :due_at
WHERE character = :character
    AND kind = :kind
    AND recipient_id = :recipient_id
    AND revision = :revision
    AND coalesce(spoke_at, -1) = coalesce(CAST(:spoke_at AS BIGINT), -1)
    AND (
        CAST(:worker AS TEXT) IS NULL
        OR NOT EXISTS (SELECT 1 FROM leases WHERE leases.character = proactive_subscriptions.character)
        OR EXISTS (
            SELECT 1 FROM leases
            WHERE leases.character = proactive_subscriptions.character
                AND leases.token = :worker
                AND (coalesce(proactive_subscriptions.guild_id, 0) >> 22) % shard_count BETWEEN first_shard AND last_shard
        )
    );

-- name: listening_subscriptions(character, user_id, channel_id)$
-- Ask whether anybody who wants to be spoken to first has just spoken.
SELECT count(*) FROM proactive_subscriptions
WHERE character = :character
    AND ((kind = 'user' AND recipient_id = :user_id) OR (kind = 'channel' AND recipient_id = :channel_id));

-- name: recipient_spoke(character, user_id, channel_id, now)!
-- Note that a recipient spoke: nothing is unanswered any more, and one that had stopped is due to be scheduled anew.
-- What they say is later than what they said before, also after the clock was set back.
UPDATE proactive_subscriptions SET
    spoke_at = CASE WHEN spoke_at >= :now THEN spoke_at + 1 ELSE :now END,
    due_at = CASE WHEN due_at IS NULL AND unanswered > 0 THEN :now ELSE due_at END,
    unanswered = 0
WHERE character = :character
    AND ((kind = 'user' AND recipient_id = :user_id) OR (kind = 'channel' AND recipient_id = :channel_id));

-- name: suspend_user(user_id, until)!
-- Keep every character from speaking first to a person, for longer if that was so already.
UPDATE proactive_subscriptions SET suspended_until = :until
WHERE kind = 'user' AND recipient_id = :user_id AND (suspended_until IS NULL OR suspended_until < :until);

-- name: count_suspended_user(user_id, until)$
-- Count the subscriptions of a person that are suspended until then, or for longer.
SELECT count(*) FROM proactive_subscriptions
WHERE kind = 'user' AND recipient_id = :user_id AND suspended_until >= :until;

-- name: characters_writing_to(user_id)
-- List the characters that a person lets speak first, or did.
SELECT character FROM proactive_subscriptions WHERE kind = 'user' AND recipient_id = :user_id;

-- name: person_moved(user_id, timezone)!
-- Let what a person chose go by the clock they have now; whoever is on is due at once, to be scheduled anew.
UPDATE proactive_subscriptions SET
    timezone = :timezone,
    due_at = CASE WHEN enabled = 1 AND CAST(:timezone AS TEXT) IS NOT NULL THEN 0 END,
    revision = revision + 1
WHERE kind = 'user' AND recipient_id = :user_id
    AND coalesce(timezone, '') <> coalesce(CAST(:timezone AS TEXT), '');

-- name: server_moved(guild_id, timezone)!
-- Let the channels that go by a server's clock go by its new one, before that is stored; those with another keep it.
UPDATE proactive_subscriptions SET
    timezone = :timezone,
    due_at = CASE WHEN enabled = 1 AND CAST(:timezone AS TEXT) IS NOT NULL THEN 0 END,
    revision = revision + 1
WHERE guild_id = :guild_id
    AND coalesce(timezone, '') <> coalesce(CAST(:timezone AS TEXT), '')
    AND coalesce(timezone, '') = coalesce(
        (SELECT guild_settings.timezone FROM guild_settings WHERE guild_settings.guild_id = :guild_id), ''
    );

-- name: pause_character(character, until)!
-- Keep a character from speaking first to anybody.
INSERT INTO proactive_pauses (character, until) VALUES (:character, :until)
ON CONFLICT (character) DO UPDATE SET until = excluded.until;

-- name: resume_character(character)!
-- Let a character speak first again.
DELETE FROM proactive_pauses WHERE character = :character;

-- name: character_paused_until(character)^
-- Read until when a character speaks first to nobody.
SELECT until FROM proactive_pauses WHERE character = :character;

-- name: subscription_counts(character, now)^
-- Count for an operator how consent stands.
SELECT
    count(*) FILTER (WHERE enabled = 1) AS enabled,
    count(*) FILTER (WHERE enabled = 1 AND paused_until > :now) AS paused,
    count(*) FILTER (WHERE enabled = 1 AND suspended_until > :now) AS suspended,
    count(*) FILTER (WHERE enabled = 1 AND due_at IS NULL AND unanswered > 0) AS stopped
FROM proactive_subscriptions WHERE character = :character;

-- name: delete_channel_subscriptions(channel_id)!
-- Forget who chose a channel that is gone.
DELETE FROM proactive_subscriptions WHERE kind = 'channel' AND recipient_id = :channel_id;

-- name: delete_channel_slots(channel_id)!
-- Forget what was decided for a channel that is gone.
DELETE FROM proactive_slots WHERE kind = 'channel' AND recipient_id = :channel_id;

-- name: delete_guild_subscriptions(guild_id, character)!
-- Forget the channels of a server a character was removed from.
DELETE FROM proactive_subscriptions WHERE guild_id = :guild_id AND character = :character;

-- name: delete_guild_slots(guild_id, character)!
-- Forget what was decided for the channels of a server a character was removed from.
DELETE FROM proactive_slots WHERE guild_id = :guild_id AND character = :character;
