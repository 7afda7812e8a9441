-- What is remembered of the stance belongs to one person in a conversation: another's small talk must not clear it.
-- It ends when the session would have ended with that person's last turn.
CREATE TABLE stance_inertia (
    conversation_id INTEGER NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    user_id INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    active_pushback_count INTEGER NOT NULL CHECK (active_pushback_count >= 0),
    reflective_support_turn_count INTEGER NOT NULL CHECK (reflective_support_turn_count >= 0),
    high_stakes_turn_count INTEGER NOT NULL CHECK (high_stakes_turn_count >= 0),
    recent_overreliance_marker INTEGER NOT NULL CHECK (recent_overreliance_marker IN (0, 1)),
    last_stance_gate_reason TEXT,
    PRIMARY KEY (conversation_id, user_id)
) STRICT;

CREATE INDEX stance_inertia_user ON stance_inertia (user_id);
CREATE INDEX stance_inertia_expiry ON stance_inertia (expires_at);

-- Of a private conversation it is known whose it was; of any other it is not, and is let go.
INSERT INTO stance_inertia (
    conversation_id, user_id, expires_at, active_pushback_count, reflective_support_turn_count,
    high_stakes_turn_count, recent_overreliance_marker, last_stance_gate_reason
)
SELECT sessions.conversation_id, conversations.owner_id, sessions.expires_at, sessions.active_pushback_count,
    sessions.reflective_support_turn_count, sessions.high_stakes_turn_count, sessions.recent_overreliance_marker,
    sessions.last_stance_gate_reason
FROM sessions
JOIN conversations ON conversations.id = sessions.conversation_id
WHERE conversations.owner_id IS NOT NULL
    AND (sessions.reflective_support_turn_count > 0 OR sessions.last_stance_gate_reason IS NOT NULL);

ALTER TABLE sessions DROP COLUMN active_pushback_count;
ALTER TABLE sessions DROP COLUMN reflective_support_turn_count;
ALTER TABLE sessions DROP COLUMN high_stakes_turn_count;
ALTER TABLE sessions DROP COLUMN recent_overreliance_marker;
ALTER TABLE sessions DROP COLUMN last_stance_gate_reason;

-- Phrases over which a server's operators let replies pass, in the order they were added.
CREATE TABLE allowed_phrases (
    id INTEGER PRIMARY KEY,
    guild_id INTEGER NOT NULL,
    phrase TEXT NOT NULL,
    UNIQUE (guild_id, phrase)
) STRICT;
