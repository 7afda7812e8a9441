-- What a session remembers of its stance: counts, a mark and the id of a rule. It goes with the session.
ALTER TABLE sessions ADD COLUMN active_pushback_count INTEGER NOT NULL DEFAULT 0 CHECK (active_pushback_count >= 0);
ALTER TABLE sessions ADD COLUMN reflective_support_turn_count INTEGER NOT NULL DEFAULT 0 CHECK (reflective_support_turn_count >= 0);
ALTER TABLE sessions ADD COLUMN high_stakes_turn_count INTEGER NOT NULL DEFAULT 0 CHECK (high_stakes_turn_count >= 0);
ALTER TABLE sessions ADD COLUMN recent_overreliance_marker INTEGER NOT NULL DEFAULT 0 CHECK (recent_overreliance_marker IN (0, 1));
ALTER TABLE sessions ADD COLUMN last_stance_gate_reason TEXT;
