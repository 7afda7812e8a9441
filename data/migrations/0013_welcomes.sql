-- Servers that a character has greeted: it does so once.
CREATE TABLE welcomed_guilds (
    guild_id INTEGER NOT NULL,
    character TEXT NOT NULL,
    PRIMARY KEY (guild_id, character)
) STRICT, WITHOUT ROWID;
