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
