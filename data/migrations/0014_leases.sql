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
