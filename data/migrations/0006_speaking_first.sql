-- Who wants to be spoken to first: a person in their DM, or a server's channel. What they chose narrows the
-- character's own policy; ranges are written `08:30-11:00`, several of them as a JSON list.
-- `revision` changes with every change of consent, so that a decision made on an older one is void.
CREATE TABLE proactive_subscriptions (
    id INTEGER PRIMARY KEY,
    character TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('user', 'channel')),
    recipient_id INTEGER NOT NULL,
    enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
    timezone TEXT,
    windows TEXT,
    quiet_hours TEXT,
    per_day INTEGER CHECK (per_day > 0),
    minimum_gap_minutes INTEGER CHECK (minimum_gap_minutes >= 0),
    locale TEXT CHECK (locale IN ('ja', 'en')),
    guild_id INTEGER CHECK (guild_id IS NULL OR kind = 'channel'),
    chosen_by INTEGER CHECK (chosen_by IS NULL OR kind = 'channel'),
    paused_until INTEGER,
    suspended_until INTEGER,
    spoke_at INTEGER,
    unanswered INTEGER NOT NULL CHECK (unanswered >= 0),
    due_at INTEGER,
    revision INTEGER NOT NULL,
    UNIQUE (character, kind, recipient_id)
) STRICT;

-- Only what can be due at all: a tick reads what is due, however many there are.
CREATE INDEX proactive_subscriptions_due ON proactive_subscriptions (character, due_at)
WHERE enabled = 1 AND due_at IS NOT NULL;
CREATE INDEX proactive_subscriptions_recipient ON proactive_subscriptions (kind, recipient_id);
CREATE INDEX proactive_subscriptions_guild ON proactive_subscriptions (guild_id) WHERE guild_id IS NOT NULL;
CREATE INDEX proactive_subscriptions_chooser ON proactive_subscriptions (chosen_by) WHERE chosen_by IS NOT NULL;

-- Decided slots: one row for each recipient and slot, ever. Ids only, never text. `offered` and `checks` are JSON.
CREATE TABLE proactive_slots (
    id INTEGER PRIMARY KEY,
    claim_id TEXT NOT NULL UNIQUE,
    character TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('user', 'channel')),
    recipient_id INTEGER NOT NULL,
    guild_id INTEGER,
    slot_key TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    state TEXT NOT NULL
        CHECK (state IN ('claimed', 'sending', 'sent', 'declined', 'skipped', 'failed', 'unknown')),
    reason TEXT,
    offered TEXT NOT NULL,
    candidate_id TEXT,
    locale TEXT CHECK (locale IN ('ja', 'en')),
    grounding TEXT CHECK (grounding IN ('neutral', 'schedule')),
    fingerprint TEXT,
    selector TEXT,
    checks TEXT NOT NULL,
    revision INTEGER,
    spoke_at INTEGER,
    observed_at INTEGER,
    claimed_at INTEGER,
    sent_at INTEGER,
    message_id INTEGER,
    worker TEXT,
    UNIQUE (character, kind, recipient_id, slot_key)
) STRICT;

CREATE INDEX proactive_slots_claimed ON proactive_slots (character, kind, recipient_id, claimed_at)
WHERE claimed_at IS NOT NULL;
CREATE INDEX proactive_slots_unfinished ON proactive_slots (character, claimed_at)
WHERE state IN ('claimed', 'sending');
CREATE INDEX proactive_slots_recipient ON proactive_slots (kind, recipient_id);
CREATE INDEX proactive_slots_guild ON proactive_slots (guild_id) WHERE guild_id IS NOT NULL;
CREATE INDEX proactive_slots_due ON proactive_slots (due_at);

-- Characters that an operator keeps from speaking first to anybody for a while.
CREATE TABLE proactive_pauses (
    character TEXT PRIMARY KEY,
    until INTEGER NOT NULL
) STRICT;

-- Candidates a model drafted; those without `approved_at` wait. A number is never given twice.
CREATE TABLE proactive_drafts (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    character TEXT NOT NULL,
    locale TEXT NOT NULL CHECK (locale IN ('ja', 'en')),
    text TEXT NOT NULL,
    drafted_at INTEGER NOT NULL,
    approved_at INTEGER
) STRICT;

CREATE INDEX proactive_drafts_character ON proactive_drafts (character);
