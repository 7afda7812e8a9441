-- The schema after all migrations, for reading; tests/migration holds it to what replaying them gives.
-- Moments are milliseconds since 1970 in UTC; booleans are 0 or 1.

-- One character in one channel, thread or DM. `kind` is unknown until the first message is archived.
-- `owner_id` is the one person of a private conversation. `term_key` keys the terms of the index: with the
-- row gone, what the index still holds of the conversation can no longer be read.
CREATE TABLE conversations (
    id INTEGER PRIMARY KEY,
    character TEXT NOT NULL,
    channel_id INTEGER NOT NULL,
    kind TEXT CHECK (kind IN ('dm', 'channel', 'thread', 'terminal')),
    guild_id INTEGER,
    parent_id INTEGER,
    owner_id INTEGER CHECK (owner_id IS NULL OR kind IN ('dm', 'terminal')),
    term_key BLOB NOT NULL CHECK (length(term_key) = 16),
    UNIQUE (character, channel_id)
) STRICT;

CREATE INDEX conversations_channel ON conversations (channel_id);
CREATE INDEX conversations_parent ON conversations (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX conversations_guild ON conversations (guild_id) WHERE guild_id IS NOT NULL;
CREATE INDEX conversations_owner ON conversations (owner_id) WHERE owner_id IS NOT NULL;

-- `id` begins with the moment of sending (sent_at * 2^20 + a counter), so that the order of ids, which is also
-- the order of the index, is the order in time. `terms` are the keyed terms exactly as they were indexed: taking
-- a row out of the index needs them again, even after the analyser changed.
CREATE TABLE archive (
    id INTEGER PRIMARY KEY,
    conversation_id INTEGER NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    message_id INTEGER NOT NULL,
    author_id INTEGER NOT NULL,
    author_name TEXT NOT NULL,
    is_self INTEGER NOT NULL CHECK (is_self IN (0, 1)),
    text TEXT,
    terms TEXT,
    sensitive INTEGER NOT NULL CHECK (sensitive IN (0, 1)),
    sent_at INTEGER NOT NULL,
    edited_at INTEGER,
    UNIQUE (message_id, conversation_id),
    CHECK (sensitive = 0 OR text IS NULL),
    CHECK (text IS NOT NULL OR terms IS NULL)
) STRICT;

CREATE INDEX archive_conversation ON archive (conversation_id, id);
CREATE INDEX archive_author ON archive (author_id);

-- How many messages were deleted or lost their text since the file was last rewritten without their remains.
CREATE TABLE erasure (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    pending INTEGER NOT NULL CHECK (pending >= 0)
) STRICT;

INSERT INTO erasure (id, pending) VALUES (1, 0);

-- Only which row holds a term: no positions, no sizes, no copy of the text.
CREATE VIRTUAL TABLE archive_index USING fts5 (
    terms,
    content = 'archive',
    content_rowid = 'id',
    detail = none,
    columnsize = 0,
    tokenize = 'ascii'
);

CREATE TRIGGER archive_added AFTER INSERT ON archive WHEN new.terms IS NOT NULL BEGIN
    INSERT INTO archive_index (rowid, terms) VALUES (new.id, new.terms);
END;

CREATE TRIGGER archive_deleted AFTER DELETE ON archive WHEN old.terms IS NOT NULL BEGIN
    INSERT INTO archive_index (archive_index, rowid, terms) VALUES ('delete', old.id, old.terms);
END;

-- One trigger, not two: which of two triggers for the same change comes first is undefined.
CREATE TRIGGER archive_edited AFTER UPDATE OF terms ON archive BEGIN
    INSERT INTO archive_index (archive_index, rowid, terms)
    SELECT 'delete', old.id, old.terms WHERE old.terms IS NOT NULL;
    INSERT INTO archive_index (rowid, terms) SELECT new.id, new.terms WHERE new.terms IS NOT NULL;
END;

CREATE TRIGGER archive_row_deleted AFTER DELETE ON archive BEGIN
    UPDATE erasure SET pending = pending + 1;
END;

CREATE TRIGGER archive_text_replaced AFTER UPDATE OF text ON archive WHEN old.text IS NOT NULL BEGIN
    UPDATE erasure SET pending = pending + 1;
END;

-- What was said in a conversation before its window, in a few sentences. `until` is when the newest of it was said.
CREATE TABLE summaries (
    conversation_id INTEGER PRIMARY KEY REFERENCES conversations (id) ON DELETE CASCADE,
    text TEXT NOT NULL,
    model TEXT NOT NULL,
    until INTEGER NOT NULL,
    made_at INTEGER NOT NULL
) STRICT;

-- The messages a summary was made of, directly or through the one before it.
CREATE TABLE summary_sources (
    conversation_id INTEGER NOT NULL REFERENCES summaries (conversation_id) ON DELETE CASCADE,
    message_id INTEGER NOT NULL,
    PRIMARY KEY (conversation_id, message_id)
) STRICT, WITHOUT ROWID;

-- A summary goes with the first of its messages that is deleted or changed, whoever does that, in the same transaction.
CREATE TRIGGER archive_row_summarised AFTER DELETE ON archive BEGIN
    DELETE FROM summaries WHERE conversation_id IN (
        SELECT conversation_id FROM summary_sources
        WHERE conversation_id = old.conversation_id AND message_id = old.message_id
    );
END;

CREATE TRIGGER archive_text_summarised AFTER UPDATE OF text, sensitive ON archive BEGIN
    DELETE FROM summaries WHERE conversation_id IN (
        SELECT conversation_id FROM summary_sources
        WHERE conversation_id = old.conversation_id AND message_id = old.message_id
    );
END;

CREATE TRIGGER summary_deleted AFTER DELETE ON summaries BEGIN
    UPDATE erasure SET pending = pending + 1;
END;

CREATE TRIGGER summary_renewed AFTER UPDATE OF text ON summaries BEGIN
    UPDATE erasure SET pending = pending + 1;
END;

-- What messages mean, for finding them by other words: 512 signed bytes of the embedding model that is named. A vector
-- goes with its message, and with the text it is of; sensitive messages have no text and so no vector.
CREATE TABLE archive_vectors (
    archive_id INTEGER PRIMARY KEY REFERENCES archive (id) ON DELETE CASCADE,
    model TEXT NOT NULL,
    vector BLOB NOT NULL CHECK (length(vector) = 512)
) STRICT;

CREATE TRIGGER archive_vector_outdated AFTER UPDATE OF text ON archive BEGIN
    DELETE FROM archive_vectors WHERE archive_id = old.id;
END;

CREATE TABLE sessions (
    conversation_id INTEGER PRIMARY KEY REFERENCES conversations (id) ON DELETE CASCADE,
    started_at INTEGER NOT NULL,
    last_active_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    turns INTEGER NOT NULL CHECK (turns > 0)
) STRICT;

CREATE INDEX sessions_expiry ON sessions (expires_at);

-- What is remembered of the stance, for one person in a conversation: counts, a mark and a rule's id. It ends when the
-- session would have ended with that person's last turn.
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

CREATE TABLE users (
    id INTEGER PRIMARY KEY,
    locale TEXT CHECK (locale IN ('ja', 'en')),
    timezone TEXT,
    opted_out INTEGER NOT NULL DEFAULT 0 CHECK (opted_out IN (0, 1)),
    notice_shown INTEGER NOT NULL DEFAULT 0 CHECK (notice_shown IN (0, 1)),
    seen_locale TEXT CHECK (seen_locale IN ('ja', 'en')),
    last_fact_number INTEGER NOT NULL DEFAULT 0 CHECK (last_fact_number >= 0)
) STRICT;

-- When a person last spoke to a character is between the two of them, not something all characters know.
CREATE TABLE acquaintances (
    user_id INTEGER NOT NULL,
    character TEXT NOT NULL,
    last_seen_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, character)
) STRICT;

-- What a person told about themselves and asked to have kept; numbered for each person, no number twice. The source is
-- the message it was told in, none where it was set by a command; without a server it was told in private.
CREATE TABLE kept_facts (
    user_id INTEGER NOT NULL,
    number INTEGER NOT NULL CHECK (number > 0),
    text TEXT NOT NULL,
    told_at INTEGER NOT NULL,
    source_message_id INTEGER,
    source_channel_id INTEGER,
    source_guild_id INTEGER,
    source_parent_id INTEGER,
    PRIMARY KEY (user_id, number)
) STRICT;

CREATE INDEX kept_facts_message ON kept_facts (source_message_id) WHERE source_message_id IS NOT NULL;
CREATE INDEX kept_facts_channel ON kept_facts (source_channel_id) WHERE source_channel_id IS NOT NULL;

-- Who lets characters form impressions of them, and since when. Whatever rests on that refers to this row with
-- ON DELETE CASCADE: withdrawn consent takes it away in the same transaction.
CREATE TABLE memory_consents (
    user_id INTEGER PRIMARY KEY,
    given_at INTEGER NOT NULL
) STRICT;

CREATE TABLE guild_settings (
    guild_id INTEGER PRIMARY KEY,
    locale TEXT CHECK (locale IN ('ja', 'en')),
    timezone TEXT,
    answers_bots INTEGER NOT NULL CHECK (answers_bots IN (0, 1))
) STRICT;

CREATE TABLE ambient_channels (
    guild_id INTEGER NOT NULL REFERENCES guild_settings (guild_id) ON DELETE CASCADE,
    channel_id INTEGER NOT NULL,
    replies_per_hour INTEGER NOT NULL CHECK (replies_per_hour >= 0),
    PRIMARY KEY (guild_id, channel_id)
) STRICT;

-- Phrases over which a server's operators let replies pass, in the order they were added.
CREATE TABLE allowed_phrases (
    id INTEGER PRIMARY KEY,
    guild_id INTEGER NOT NULL,
    phrase TEXT NOT NULL,
    UNIQUE (guild_id, phrase)
) STRICT;

-- Servers that a character has greeted: it does so once.
CREATE TABLE welcomed_guilds (
    guild_id INTEGER NOT NULL,
    character TEXT NOT NULL,
    PRIMARY KEY (guild_id, character)
) STRICT, WITHOUT ROWID;

-- Characters an operator switched off.
CREATE TABLE frozen_characters (
    character TEXT PRIMARY KEY
) STRICT;

-- One row per model call. The calls of somebody who was forgotten stay as numbers: user 0, no moment.
CREATE TABLE usage (
    id INTEGER PRIMARY KEY,
    at INTEGER,
    day TEXT NOT NULL CHECK (length(day) = 10),
    character TEXT NOT NULL,
    user_id INTEGER NOT NULL,
    guild_id INTEGER,
    feature TEXT NOT NULL,
    model TEXT NOT NULL,
    input_tokens INTEGER NOT NULL CHECK (input_tokens >= 0),
    output_tokens INTEGER NOT NULL CHECK (output_tokens >= 0),
    cost_micros INTEGER NOT NULL CHECK (cost_micros >= 0),
    outcome TEXT NOT NULL,
    estimated INTEGER NOT NULL DEFAULT 0 CHECK (estimated IN (0, 1))
) STRICT;

CREATE INDEX usage_user ON usage (user_id, day);
CREATE INDEX usage_at ON usage (at) WHERE at IS NOT NULL;

-- What was used on a day by somebody somewhere, and for what with which model. Both are kept beside the calls and changed
-- together with them, so that reports and caps need not go through every call. User 0 is nobody, or somebody forgotten;
-- server 0 is a direct message; day 00 is the whole month.
CREATE TABLE usage_days (
    day TEXT NOT NULL CHECK (length(day) = 10),
    user_id INTEGER NOT NULL,
    guild_id INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    estimated INTEGER NOT NULL,
    cost_micros INTEGER NOT NULL,
    PRIMARY KEY (day, user_id, guild_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX usage_days_user ON usage_days (user_id, day);
CREATE INDEX usage_days_guild ON usage_days (guild_id, day);

CREATE TABLE usage_kinds (
    day TEXT NOT NULL CHECK (length(day) = 10),
    guild_id INTEGER NOT NULL,
    character TEXT NOT NULL,
    feature TEXT NOT NULL,
    model TEXT NOT NULL,
    calls INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    estimated INTEGER NOT NULL,
    cost_micros INTEGER NOT NULL,
    PRIMARY KEY (day, guild_id, character, feature, model)
) STRICT, WITHOUT ROWID;

CREATE INDEX usage_kinds_guild ON usage_kinds (guild_id, day);

-- One row per turn: ids and what the steps decided, never text. Ids and steps are JSON.
CREATE TABLE traces (
    id INTEGER PRIMARY KEY,
    turn_id TEXT NOT NULL UNIQUE,
    conversation_id INTEGER NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    message_ids TEXT NOT NULL,
    reply_ids TEXT NOT NULL,
    outcome TEXT NOT NULL,
    model TEXT,
    steps TEXT NOT NULL
) STRICT;

CREATE INDEX traces_conversation ON traces (conversation_id, at);
CREATE INDEX traces_user ON traces (user_id);
CREATE INDEX traces_at ON traces (at);

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
CREATE INDEX proactive_slots_due ON proactive_slots (due_at, character, state, reason);

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

-- Channels that operators opened to the characters.
CREATE TABLE social_channels (
    channel_id INTEGER PRIMARY KEY,
    guild_id INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('chat', 'forum')),
    per_hour INTEGER NOT NULL CHECK (per_hour >= 0),
    may_post INTEGER NOT NULL CHECK (may_post IN (0, 1))
) STRICT;

CREATE INDEX social_channels_guild ON social_channels (guild_id);

-- Posts of these channels: of members who agreed to be remembered, and of characters (`character`). `place_id` is the
-- allowed channel, a thread's parent. `mentions` are names of characters, as a JSON list.
CREATE TABLE social_posts (
    id INTEGER PRIMARY KEY,
    author_id INTEGER NOT NULL,
    author_name TEXT NOT NULL,
    character TEXT,
    kind TEXT NOT NULL CHECK (kind IN ('dm', 'channel', 'thread', 'terminal')),
    channel_id INTEGER NOT NULL,
    guild_id INTEGER,
    parent_id INTEGER,
    place_id INTEGER NOT NULL,
    title TEXT,
    text TEXT NOT NULL,
    language TEXT,
    reply_to INTEGER,
    answers TEXT,
    mentions TEXT NOT NULL,
    open_to TEXT NOT NULL,
    sent_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0)
) STRICT;

CREATE INDEX social_posts_place ON social_posts (place_id, id);
CREATE INDEX social_posts_channel ON social_posts (channel_id);
CREATE INDEX social_posts_author ON social_posts (author_id, id);
CREATE INDEX social_posts_character ON social_posts (character, id) WHERE character IS NOT NULL;
CREATE INDEX social_posts_parent ON social_posts (reply_to, id) WHERE reply_to IS NOT NULL;
CREATE INDEX social_posts_sent ON social_posts (sent_at);

-- Who is to hear of a post: the characters that it answers or mentions.
CREATE TABLE social_notices (
    character TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('reply', 'mention')),
    post_id INTEGER NOT NULL REFERENCES social_posts (id) ON DELETE CASCADE,
    PRIMARY KEY (character, kind, post_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX social_notices_post ON social_notices (post_id);

-- What posts are about: 512 signed bytes of the embedding model that is named.
CREATE TABLE social_digests (
    post_id INTEGER PRIMARY KEY REFERENCES social_posts (id) ON DELETE CASCADE,
    summary TEXT NOT NULL,
    tags TEXT NOT NULL,
    features BLOB NOT NULL CHECK (length(features) = 512),
    embedding_model TEXT NOT NULL,
    made_at INTEGER NOT NULL
) STRICT;

CREATE INDEX social_digests_model ON social_digests (embedding_model);

-- The tags of posts in lower case, for finding posts by them.
CREATE TABLE social_tags (
    name TEXT NOT NULL,
    post_id INTEGER NOT NULL REFERENCES social_posts (id) ON DELETE CASCADE,
    PRIMARY KEY (name, post_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX social_tags_post ON social_tags (post_id);

-- What a character thought of a post when it read it. It is not read again.
CREATE TABLE social_impressions (
    character TEXT NOT NULL,
    post_id INTEGER NOT NULL REFERENCES social_posts (id) ON DELETE CASCADE,
    user_id INTEGER NOT NULL,
    impression TEXT NOT NULL,
    tags TEXT NOT NULL,
    should_like INTEGER NOT NULL CHECK (should_like IN (0, 1)),
    should_reply INTEGER NOT NULL CHECK (should_reply IN (0, 1)),
    made_at INTEGER NOT NULL,
    PRIMARY KEY (character, post_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX social_impressions_post ON social_impressions (post_id);
CREATE INDEX social_impressions_user ON social_impressions (user_id);
CREATE INDEX social_impressions_newest ON social_impressions (character, made_at);

-- What a character thinks of somebody.
CREATE TABLE social_peers (
    character TEXT NOT NULL,
    user_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    impression TEXT NOT NULL,
    tags TEXT NOT NULL,
    should_follow INTEGER NOT NULL CHECK (should_follow IN (0, 1)),
    made_at INTEGER NOT NULL,
    PRIMARY KEY (character, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX social_peers_user ON social_peers (user_id);

-- Whose posts a character prefers to read.
CREATE TABLE social_follows (
    character TEXT NOT NULL,
    user_id INTEGER NOT NULL,
    since INTEGER NOT NULL,
    PRIMARY KEY (character, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX social_follows_user ON social_follows (user_id);

-- What characters cared about, the newest of each being what it cares about now. `source` is the text that the vector
-- was made of, before some of the vector before it was blended in.
CREATE TABLE social_interests (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    character TEXT NOT NULL,
    interest TEXT NOT NULL,
    tags TEXT NOT NULL,
    source TEXT NOT NULL,
    features BLOB NOT NULL CHECK (length(features) = 512),
    embedding_model TEXT NOT NULL,
    made_at INTEGER NOT NULL
) STRICT;

CREATE INDEX social_interests_character ON social_interests (character, id);

-- Permissions that were found missing, until they are there again.
CREATE TABLE social_troubles (
    character TEXT NOT NULL,
    channel_id INTEGER NOT NULL,
    action TEXT NOT NULL CHECK (action IN ('read', 'like', 'reply', 'post')),
    since INTEGER NOT NULL,
    PRIMARY KEY (character, channel_id, action)
) STRICT, WITHOUT ROWID;

-- Cycles in numbers: what was done and what failed, as JSON objects.
CREATE TABLE social_cycles (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    character TEXT NOT NULL,
    began_at INTEGER NOT NULL,
    ended_at INTEGER NOT NULL,
    done TEXT NOT NULL,
    failed TEXT NOT NULL,
    note TEXT NOT NULL
) STRICT;

CREATE INDEX social_cycles_character ON social_cycles (character, id);

-- The tier that operators chose for a character instead of its pack's.
CREATE TABLE character_tiers (
    character TEXT PRIMARY KEY,
    tier TEXT NOT NULL CHECK (tier IN ('advanced', 'balanced', 'basic'))
) STRICT;

-- The one embedding model of the system.
CREATE TABLE embedding_model (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    name TEXT NOT NULL
) STRICT;

-- What is made of a text goes with that text.
CREATE TRIGGER social_post_edited AFTER UPDATE OF text ON social_posts WHEN old.text <> new.text BEGIN
    DELETE FROM social_digests WHERE post_id = old.id;
    DELETE FROM social_tags WHERE post_id = old.id;
    UPDATE social_posts SET attempts = 0 WHERE id = old.id;
    UPDATE erasure SET pending = pending + 1;
END;

-- Whoever takes their consent back, all that was kept of them goes in the same transaction.
CREATE TRIGGER social_consent_withdrawn AFTER DELETE ON memory_consents BEGIN
    DELETE FROM social_posts WHERE author_id = old.user_id;
    DELETE FROM social_peers WHERE user_id = old.user_id;
    DELETE FROM social_follows WHERE user_id = old.user_id;
END;

CREATE TRIGGER social_post_deleted AFTER DELETE ON social_posts BEGIN
    UPDATE erasure SET pending = pending + 1;
END;

CREATE TRIGGER social_peer_deleted AFTER DELETE ON social_peers BEGIN
    UPDATE erasure SET pending = pending + 1;
END;

-- When a character last posted something new: it holds longer than the post is kept.
CREATE TABLE social_moments (
    character TEXT PRIMARY KEY,
    posted_at INTEGER NOT NULL
) STRICT;

-- What an operator was told of a cap, so that they are told once in its period. `cap` names whose it is, never a person.
CREATE TABLE cap_warnings (
    cap TEXT NOT NULL,
    first_day TEXT NOT NULL CHECK (length(first_day) = 10),
    percent INTEGER NOT NULL,
    PRIMARY KEY (cap, first_day, percent)
) STRICT, WITHOUT ROWID;

-- Which process looks after which shards of a character, until when; '*': who does what is done once for all.
-- A process keeps one token from its start to its end; what it claims for a character that has leases counts only while it has one that covers it.
CREATE TABLE leases (
    character TEXT NOT NULL,
    first_shard INTEGER NOT NULL,
    last_shard INTEGER NOT NULL CHECK (last_shard >= first_shard),
    shard_count INTEGER NOT NULL CHECK (shard_count > last_shard),
    token TEXT NOT NULL,
    holder TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (character, shard_count, first_shard, last_shard)
) STRICT, WITHOUT ROWID;

-- When the next session with Discord may be begun, by character and Discord's bucket of shards.
CREATE TABLE identify_turns (
    character TEXT NOT NULL,
    bucket INTEGER NOT NULL,
    free_at INTEGER NOT NULL,
    PRIMARY KEY (character, bucket)
) STRICT, WITHOUT ROWID;
