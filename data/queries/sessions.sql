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
