-- Servers that a character has greeted: it does so once.
CREATE TABLE welcomed_guilds (
    guild_id BIGINT NOT NULL,
    character TEXT NOT NULL,
    PRIMARY KEY (guild_id, character)
);
