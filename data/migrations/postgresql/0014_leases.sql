-- Which process looks after which shards of a character, until when; '*': who does what is done once for all.
-- A process keeps one token from its start to its end; what it claims for a character that has leases counts only while it has one that covers it.
CREATE TABLE leases (
    character TEXT NOT NULL,
    first_shard BIGINT NOT NULL,
    last_shard BIGINT NOT NULL CHECK (last_shard >= first_shard),
    shard_count BIGINT NOT NULL CHECK (shard_count > last_shard),
    token TEXT NOT NULL,
    holder TEXT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (character, shard_count, first_shard, last_shard)
);

-- When the next session with Discord may be begun, by character and Discord's bucket of shards.
CREATE TABLE identify_turns (
    character TEXT NOT NULL,
    bucket BIGINT NOT NULL,
    free_at BIGINT NOT NULL,
    PRIMARY KEY (character, bucket)
);
