-- name: claim_slot(claim_id, character, kind, recipient_id, slot_key, due_at, offered, candidate_id, locale, grounding, fingerprint, selector, checks, revision, spoke_at, observed_at, now, worker, most_per_day, day_began, gap_began)^
-- Win a slot, with a last look at everything it rests on, the lease on the shards too: one statement, so that of any
-- number one gets the row.
INSERT INTO proactive_slots (
    claim_id, character, kind, recipient_id, guild_id, slot_key, due_at, state, offered, candidate_id, locale,
    grounding, fingerprint, selector, checks, revision, spoke_at, observed_at, claimed_at, worker
)
SELECT
    :claim_id, wanted.character, wanted.kind, wanted.recipient_id, wanted.guild_id, :slot_key, :due_at, 'claimed',
    :offered, :candidate_id, :locale, :grounding, :fingerprint, :selector, :checks, :revision, :spoke_at,
    :observed_at, :now, :worker
FROM proactive_subscriptions AS wanted
WHERE wanted.character = :character
    AND wanted.kind = :kind
    AND wanted.recipient_id = :recipient_id
    AND wanted.enabled = 1
    AND wanted.revision = :revision
    AND coalesce(wanted.paused_until, 0) <= :now
    AND coalesce(wanted.suspended_until, 0) <= :now
    AND coalesce(wanted.spoke_at, -1) = coalesce(CAST(:spoke_at AS BIGINT), -1)
    AND NOT EXISTS (
        SELECT 1 FROM proactive_pauses WHERE proactive_pauses.character = wanted.character AND until > :now
    )
    AND NOT EXISTS (SELECT 1 FROM frozen_characters WHERE frozen_characters.character = wanted.character)
    AND NOT EXISTS (
        SELECT 1 FROM users WHERE wanted.kind = 'user' AND users.id = wanted.recipient_id AND users.opted_out = 1
    )
    AND (
        SELECT count(*) FROM proactive_slots AS said
        WHERE said.character = :character
            AND said.kind = :kind
            AND said.recipient_id = :recipient_id
            AND said.claimed_at >= :day_began
    ) < :most_per_day
    AND NOT EXISTS (
        SELECT 1 FROM proactive_slots AS said
        WHERE said.character = :character
            AND said.kind = :kind
            AND said.recipient_id = :recipient_id
            AND said.claimed_at > :gap_began
    )
    AND (
        NOT EXISTS (SELECT 1 FROM leases WHERE leases.character = wanted.character)
        OR EXISTS (
            SELECT 1 FROM leases
            WHERE leases.character = wanted.character
                AND leases.token = :worker
                AND (coalesce(wanted.guild_id, 0) >> 22) % shard_count BETWEEN first_shard AND last_shard
        )
    )
ON CONFLICT DO NOTHING
RETURNING claim_id;

-- name: claim_obstacles(character, kind, recipient_id, slot_key, day_began, worker)^
-- Read what a claim that was lost rested on, to tell why.
SELECT
    EXISTS (
        SELECT 1 FROM proactive_slots AS said
        WHERE said.character = :character
            AND said.kind = :kind
            AND said.recipient_id = :recipient_id
            AND said.slot_key = :slot_key
    ) AS decided,
    EXISTS (SELECT 1 FROM frozen_characters WHERE frozen_characters.character = :character) AS frozen,
    EXISTS (
        SELECT 1 FROM users WHERE :kind = 'user' AND users.id = :recipient_id AND users.opted_out = 1
    ) AS opted_out,
    (SELECT until FROM proactive_pauses WHERE proactive_pauses.character = :character) AS all_paused_until,
    (
        SELECT count(*) FROM proactive_slots AS said
        WHERE said.character = :character
            AND said.kind = :kind
            AND said.recipient_id = :recipient_id
            AND said.claimed_at >= :day_began
    ) AS today,
    (
        EXISTS (SELECT 1 FROM leases WHERE leases.character = :character)
        AND NOT EXISTS (
            SELECT 1 FROM leases
            WHERE leases.character = :character
                AND leases.token = :worker
                AND (coalesce(wanted.guild_id, 0) >> 22) % shard_count BETWEEN first_shard AND last_shard
        )
    ) AS fenced,
    wanted.enabled, wanted.revision, wanted.paused_until, wanted.suspended_until, wanted.spoke_at
FROM (SELECT 1 AS one) AS single
LEFT JOIN proactive_subscriptions AS wanted
    ON wanted.character = :character AND wanted.kind = :kind AND wanted.recipient_id = :recipient_id;

-- name: decide_slot(claim_id, character, kind, recipient_id, slot_key, due_at, state, reason, offered, candidate_id, locale, grounding, fingerprint, selector, checks, observed_at, worker)!
-- Record a slot that ends without a message, for somebody who wanted one.
INSERT INTO proactive_slots (
    claim_id, character, kind, recipient_id, guild_id, slot_key, due_at, state, reason, offered, candidate_id, locale,
    grounding, fingerprint, selector, checks, observed_at, worker
)
SELECT
    :claim_id, wanted.character, wanted.kind, wanted.recipient_id, wanted.guild_id, :slot_key, :due_at, :state,
    :reason, :offered, :candidate_id, :locale, :grounding, :fingerprint, :selector, :checks, :observed_at, :worker
FROM proactive_subscriptions AS wanted
WHERE wanted.character = :character AND wanted.kind = :kind AND wanted.recipient_id = :recipient_id
    AND (
        CAST(:worker AS TEXT) IS NULL
        OR NOT EXISTS (SELECT 1 FROM leases WHERE leases.character = wanted.character)
        OR EXISTS (
            SELECT 1 FROM leases
            WHERE leases.character = wanted.character
                AND leases.token = :worker
                AND (coalesce(wanted.guild_id, 0) >> 22) % shard_count BETWEEN first_shard AND last_shard
        )
    )
--postgresql FOR SHARE OF wanted
ON CONFLICT DO NOTHING;

-- name: slot_sending(claim_id, worker)!
-- Note that a claim is about to be sent, if it is still this worker's, and so are the shards.
UPDATE proactive_slots SET state = 'sending'
WHERE claim_id = :claim_id AND worker = :worker AND state IN ('claimed', 'sending')
    AND (
        NOT EXISTS (SELECT 1 FROM leases WHERE leases.character = proactive_slots.character)
        OR EXISTS (
            SELECT 1 FROM leases
            WHERE leases.character = proactive_slots.character
                AND leases.token = :worker
                AND (coalesce(proactive_slots.guild_id, 0) >> 22) % shard_count BETWEEN first_shard AND last_shard
        )
    );

-- name: close_slot(claim_id, state, reason, sent_at, message_id)!
-- End a claim that has not ended yet.
UPDATE proactive_slots SET state = :state, reason = :reason, sent_at = :sent_at, message_id = :message_id
WHERE claim_id = :claim_id AND state IN ('claimed', 'sending');

-- name: count_unanswered(claim_id)!
-- Count a message that is out, or may be, as unanswered, unless the recipient has spoken since. They haven't where the
-- last time they spoke is the one that the message was decided on, whatever the clock says of it.
UPDATE proactive_subscriptions SET unanswered = proactive_subscriptions.unanswered + 1
FROM proactive_slots AS said
WHERE said.claim_id = :claim_id
    AND proactive_subscriptions.character = said.character
    AND proactive_subscriptions.kind = said.kind
    AND proactive_subscriptions.recipient_id = said.recipient_id
    AND (
        coalesce(proactive_subscriptions.spoke_at, -1) = coalesce(said.spoke_at, -1)
        OR proactive_subscriptions.spoke_at <= coalesce(said.sent_at, said.claimed_at)
    );

-- name: unfinished_slots(character, claimed_before, first_shard, last_shard, shard_count, limit)
-- Find claims that never ended, oldest first.
SELECT * FROM proactive_slots
WHERE character = :character AND state IN ('claimed', 'sending') AND claimed_at < :claimed_before
    AND (coalesce(guild_id, 0) >> 22) % :shard_count BETWEEN :first_shard AND :last_shard
ORDER BY claimed_at
LIMIT :limit;

-- name: take_over_slot(claim_id, worker, from_worker, now)!
-- Make an unfinished claim another worker's, from now on, if it still is the one's it was.
UPDATE proactive_slots SET worker = :worker, claimed_at = :now
WHERE claim_id = :claim_id AND worker = :from_worker AND state IN ('claimed', 'sending')
    AND (
        NOT EXISTS (SELECT 1 FROM leases WHERE leases.character = proactive_slots.character)
        OR EXISTS (
            SELECT 1 FROM leases
            WHERE leases.character = proactive_slots.character
                AND leases.token = :worker
                AND (coalesce(proactive_slots.guild_id, 0) >> 22) % shard_count BETWEEN first_shard AND last_shard
        )
    );

-- name: recent_slots(character, kind, recipient_id, limit)
-- Read a recipient's newest decided slots, newest first.
SELECT * FROM proactive_slots
WHERE kind = :kind AND recipient_id = :recipient_id AND character = :character
ORDER BY due_at DESC, id DESC
LIMIT :limit;

-- name: newest_slots(limit)
-- Read the newest decided slots of everybody, newest first.
SELECT * FROM proactive_slots
ORDER BY due_at DESC, id DESC
LIMIT :limit;

-- name: last_said(character, kind, recipient_id, since)
-- Read when each candidate was last said to a recipient.
SELECT candidate_id, max(claimed_at) AS said_at FROM proactive_slots
WHERE character = :character AND kind = :kind AND recipient_id = :recipient_id AND claimed_at >= :since
GROUP BY candidate_id;

-- name: slot_past(character, kind, recipient_id, slot_key, since)
-- Read when messages to a recipient were claimed, oldest first; a row without a moment says that the slot is decided.
SELECT claimed_at FROM proactive_slots
WHERE character = :character AND kind = :kind AND recipient_id = :recipient_id AND claimed_at >= :since
UNION ALL
SELECT NULL FROM proactive_slots
WHERE character = :character AND kind = :kind AND recipient_id = :recipient_id AND slot_key = :slot_key
ORDER BY claimed_at;

-- name: slot_outcomes(character, since)
-- Count how a character's slots ended; by their time alone, since that index holds all that is wanted.
SELECT state, reason, count(*) AS slots FROM proactive_slots
WHERE character || '' = :character AND due_at >= :since
GROUP BY state, reason;

-- name: slot(claim_id)^
-- Read one slot.
SELECT * FROM proactive_slots WHERE claim_id = :claim_id;

-- name: delete_old_slots(before)!
-- Delete slots that ended long ago.
DELETE FROM proactive_slots WHERE due_at < :before AND state NOT IN ('claimed', 'sending');
