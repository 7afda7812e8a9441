-- What people told about themselves and asked to have kept.

-- name: kept_facts(user_id)
-- List a person's facts in the order of their numbers.
SELECT user_id, number, text, told_at, source_message_id, source_channel_id, source_guild_id, source_parent_id
FROM kept_facts
WHERE user_id = :user_id
ORDER BY number;

-- name: facts_told_in(message_id)
-- List the facts that were told in a message.
SELECT user_id, number, text, told_at, source_message_id, source_channel_id, source_guild_id, source_parent_id
FROM kept_facts
WHERE source_message_id = :message_id
ORDER BY user_id, number;

-- name: stored_source(message_id)^
-- Read how a message is stored: in how many places, whether without its text, and when it was edited last.
SELECT count(*) AS copies, max(sensitive) AS sensitive, max(edited_at) AS edited_at
FROM archive
WHERE message_id = :message_id;

-- name: number_fact(user_id)^
-- Take a number that none of a person's facts ever had.
INSERT INTO users (id, last_fact_number) VALUES (:user_id, 1)
ON CONFLICT (id) DO UPDATE SET last_fact_number = users.last_fact_number + 1
RETURNING last_fact_number;

-- name: keep_fact(user_id, number, text, told_at, source_message_id, source_channel_id, source_guild_id, source_parent_id)!
-- Keep a fact under a number of its own.
INSERT INTO kept_facts (
    user_id, number, text, told_at, source_message_id, source_channel_id, source_guild_id, source_parent_id
)
VALUES (
    :user_id, :number, :text, :told_at, :source_message_id, :source_channel_id, :source_guild_id, :source_parent_id
);

-- name: correct_fact(user_id, number, text, told_at)!
-- Replace a fact by what a person set with a command: no message holds that.
UPDATE kept_facts SET
    text = :text,
    told_at = :told_at,
    source_message_id = NULL,
    source_channel_id = NULL,
    source_guild_id = NULL,
    source_parent_id = NULL
WHERE user_id = :user_id AND number = :number;

-- name: retell_fact(user_id, number, text)!
-- Give a fact the words its message was edited to.
UPDATE kept_facts SET text = :text WHERE user_id = :user_id AND number = :number;

-- name: delete_fact(user_id, number)!
-- Forget one fact.
DELETE FROM kept_facts WHERE user_id = :user_id AND number = :number;

-- name: delete_facts_told_in(message_id)!
-- Forget what was told in a message that is deleted, or that may not be stored any more.
DELETE FROM kept_facts WHERE source_message_id = :message_id;

-- name: delete_facts_told_in_channel(channel_id)!
-- Forget what was told in a channel that is gone and in its threads.
DELETE FROM kept_facts WHERE source_channel_id = :channel_id OR source_parent_id = :channel_id;

-- name: delete_facts_told_in_guild(guild_id)!
-- Forget what was told on a server: nobody would tell of messages that are deleted there.
DELETE FROM kept_facts WHERE source_guild_id = :guild_id;
