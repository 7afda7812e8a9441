-- name: current_session(character, channel_id, now)^
-- Read the session of a conversation that is still open.
SELECT sessions.started_at, sessions.last_active_at, sessions.turns
FROM sessions
JOIN conversations ON conversations.id = sessions.conversation_id
WHERE conversations.character = :character
    AND conversations.channel_id = :channel_id
    AND sessions.expires_at > :now;

-- name: touch_session(character, channel_id, now, expires_at)^
-- Count a turn in the open session, or begin one where there is none or it has expired.
INSERT INTO sessions (conversation_id, started_at, last_active_at, expires_at, turns)
SELECT id, :now, :now, :expires_at, 1
FROM conversations
WHERE character = :character AND channel_id = :channel_id
ON CONFLICT (conversation_id) DO UPDATE SET
    started_at = CASE WHEN sessions.expires_at > :now THEN sessions.started_at ELSE excluded.started_at END,
    turns = CASE WHEN sessions.expires_at > :now THEN sessions.turns + 1 ELSE 1 END,
    last_active_at = excluded.last_active_at,
    expires_at = excluded.expires_at
RETURNING started_at, last_active_at, turns;

-- name: delete_expired_sessions(now)!
-- Delete the sessions that are over.
DELETE FROM sessions WHERE expires_at <= :now;

-- name: delete_expired_inertia(now)!
-- Let go of what is remembered of the stance where its time is over.
DELETE FROM stance_inertia WHERE expires_at <= :now;

-- name: stance_inertia(character, channel_id, user_id, now)^
-- Read what is remembered of the stance towards one person in a conversation.
SELECT stance_inertia.active_pushback_count, stance_inertia.reflective_support_turn_count,
    stance_inertia.high_stakes_turn_count, stance_inertia.recent_overreliance_marker,
    stance_inertia.last_stance_gate_reason
FROM stance_inertia
JOIN conversations ON conversations.id = stance_inertia.conversation_id
WHERE conversations.character = :character
    AND conversations.channel_id = :channel_id
    AND stance_inertia.user_id = :user_id
    AND stance_inertia.expires_at > :now;

-- name: keep_inertia(character, channel_id, user_id, now, active_pushback_count, reflective_support_turn_count, high_stakes_turn_count, recent_overreliance_marker, last_stance_gate_reason)!
-- Remember the stance towards one person for as long as the open session lasts; without one, remember nothing.
INSERT INTO stance_inertia (
    conversation_id, user_id, expires_at, active_pushback_count, reflective_support_turn_count,
    high_stakes_turn_count, recent_overreliance_marker, last_stance_gate_reason
)
SELECT sessions.conversation_id, :user_id, sessions.expires_at, :active_pushback_count,
    :reflective_support_turn_count, :high_stakes_turn_count, :recent_overreliance_marker, :last_stance_gate_reason
FROM sessions
JOIN conversations ON conversations.id = sessions.conversation_id
WHERE conversations.character = :character
    AND conversations.channel_id = :channel_id
    AND sessions.expires_at > :now
ON CONFLICT (conversation_id, user_id) DO UPDATE SET
    expires_at = excluded.expires_at,
    active_pushback_count = excluded.active_pushback_count,
    reflective_support_turn_count = excluded.reflective_support_turn_count,
    high_stakes_turn_count = excluded.high_stakes_turn_count,
    recent_overreliance_marker = excluded.recent_overreliance_marker,
    last_stance_gate_reason = excluded.last_stance_gate_reason;

-- name: drop_inertia(character, channel_id, user_id)!
-- Remember nothing of the stance towards one person in a conversation.
DELETE FROM stance_inertia
WHERE user_id = :user_id
    AND conversation_id IN (
        SELECT id FROM conversations WHERE character = :character AND channel_id = :channel_id
    );
