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
    active_pushback_count = CASE WHEN sessions.expires_at > :now THEN sessions.active_pushback_count ELSE 0 END,
    reflective_support_turn_count = CASE WHEN sessions.expires_at > :now THEN sessions.reflective_support_turn_count ELSE 0 END,
    high_stakes_turn_count = CASE WHEN sessions.expires_at > :now THEN sessions.high_stakes_turn_count ELSE 0 END,
    recent_overreliance_marker = CASE WHEN sessions.expires_at > :now THEN sessions.recent_overreliance_marker ELSE 0 END,
    last_stance_gate_reason = CASE WHEN sessions.expires_at > :now THEN sessions.last_stance_gate_reason END,
    last_active_at = excluded.last_active_at,
    expires_at = excluded.expires_at
RETURNING started_at, last_active_at, turns;

-- name: delete_expired_sessions(now)!
-- Delete the sessions that are over.
DELETE FROM sessions WHERE expires_at <= :now;

-- name: session_inertia(character, channel_id, now)^
-- Read what the open session of a conversation remembers of its stance.
SELECT sessions.active_pushback_count, sessions.reflective_support_turn_count, sessions.high_stakes_turn_count,
    sessions.recent_overreliance_marker, sessions.last_stance_gate_reason
FROM sessions
JOIN conversations ON conversations.id = sessions.conversation_id
WHERE conversations.character = :character
    AND conversations.channel_id = :channel_id
    AND sessions.expires_at > :now;

-- name: keep_session_inertia(character, channel_id, now, active_pushback_count, reflective_support_turn_count, high_stakes_turn_count, recent_overreliance_marker, last_stance_gate_reason)!
-- Keep what the open session remembers of its stance; a session that is over remembers nothing.
UPDATE sessions SET
    active_pushback_count = :active_pushback_count,
    reflective_support_turn_count = :reflective_support_turn_count,
    high_stakes_turn_count = :high_stakes_turn_count,
    recent_overreliance_marker = :recent_overreliance_marker,
    last_stance_gate_reason = :last_stance_gate_reason
WHERE conversation_id = (
        SELECT id FROM conversations WHERE character = :character AND channel_id = :channel_id
    )
    AND expires_at > :now;
