-- name: add_trace(turn_id, character, channel_id, at, user_id, message_ids, reply_ids, outcome, model, steps)!
-- Store what a turn did; told again, the later account stands.
INSERT INTO traces (turn_id, conversation_id, at, user_id, message_ids, reply_ids, outcome, model, steps)
SELECT :turn_id, id, :at, :user_id, :message_ids, :reply_ids, :outcome, :model, :steps
FROM conversations
WHERE character = :character AND channel_id = :channel_id
ON CONFLICT (turn_id) DO UPDATE SET
    conversation_id = excluded.conversation_id, at = excluded.at, user_id = excluded.user_id,
    message_ids = excluded.message_ids, reply_ids = excluded.reply_ids, outcome = excluded.outcome,
    model = excluded.model, steps = excluded.steps;

-- name: trace(turn_id)^
-- Read what one turn did.
SELECT traces.turn_id, traces.at, traces.user_id, traces.message_ids, traces.reply_ids, traces.outcome, traces.model,
    traces.steps, conversations.character, conversations.channel_id, conversations.guild_id
FROM traces
JOIN conversations ON conversations.id = traces.conversation_id
WHERE traces.turn_id = :turn_id;

-- name: recent_traces(limit)
-- Read what the newest turns did, newest first.
SELECT traces.turn_id, traces.at, traces.user_id, traces.message_ids, traces.reply_ids, traces.outcome, traces.model,
    traces.steps, conversations.character, conversations.channel_id, conversations.guild_id
FROM traces
JOIN conversations ON conversations.id = traces.conversation_id
ORDER BY traces.at DESC, traces.id DESC
LIMIT :limit;

-- name: recent_traces_of_conversation(character, channel_id, limit)
-- Read what the newest turns of one conversation did, newest first.
SELECT traces.turn_id, traces.at, traces.user_id, traces.message_ids, traces.reply_ids, traces.outcome, traces.model,
    traces.steps, conversations.character, conversations.channel_id, conversations.guild_id
FROM traces
JOIN conversations ON conversations.id = traces.conversation_id
WHERE conversations.character = :character AND conversations.channel_id = :channel_id
ORDER BY traces.at DESC, traces.id DESC
LIMIT :limit;

-- name: steps_of_newest_turns(limit, offset)
-- Read what turns did after so many newer ones, newest first. Which rows those are is found in the index alone.
SELECT traces.at, traces.steps, conversations.character
FROM traces
JOIN conversations ON conversations.id = traces.conversation_id
WHERE traces.id IN (SELECT id FROM traces ORDER BY at DESC, id DESC LIMIT :limit OFFSET :offset)
ORDER BY traces.at DESC, traces.id DESC;

-- name: traces_of_guild(character, guild_id, since, limit)
-- Read what a character's newest turns in a server did since a moment, newest first.
SELECT traces.turn_id, traces.at, traces.user_id, traces.message_ids, traces.reply_ids, traces.outcome, traces.model,
    traces.steps, conversations.character, conversations.channel_id, conversations.guild_id
FROM traces
JOIN conversations ON conversations.id = traces.conversation_id
WHERE conversations.character = :character AND conversations.guild_id = :guild_id AND traces.at >= :since
ORDER BY traces.at DESC, traces.id DESC
LIMIT :limit;

-- name: traces_of_conversation(character, channel_id, since, limit)
-- Read what the newest turns of one conversation did since a moment, newest first.
SELECT traces.turn_id, traces.at, traces.user_id, traces.message_ids, traces.reply_ids, traces.outcome, traces.model,
    traces.steps, conversations.character, conversations.channel_id, conversations.guild_id
FROM traces
JOIN conversations ON conversations.id = traces.conversation_id
WHERE conversations.character = :character AND conversations.channel_id = :channel_id AND traces.at >= :since
ORDER BY traces.at DESC, traces.id DESC
LIMIT :limit;

-- name: answered_messages(character, channel_id, since, begun, superseded, undelivered)
-- List the messages of a conversation whose turn came to its end; one that was cut short, overtaken or could not be
-- delivered may be answered again.
SELECT traces.message_ids
FROM traces
JOIN conversations ON conversations.id = traces.conversation_id
WHERE conversations.character = :character
    AND conversations.channel_id = :channel_id
    AND traces.at >= :since
    AND traces.outcome NOT IN (:begun, :superseded, :undelivered);

-- name: recent_conversations(character, since, first_shard, last_shard, shard_count, limit)
-- List the channels a character had a turn in, the one with the newest turn first.
SELECT conversations.channel_id
FROM conversations
JOIN traces ON traces.conversation_id = conversations.id
WHERE conversations.character = :character AND traces.at >= :since
    AND (coalesce(conversations.guild_id, 0) >> 22) % :shard_count BETWEEN :first_shard AND :last_shard
GROUP BY conversations.channel_id
ORDER BY max(traces.at) DESC
LIMIT :limit;

-- name: delete_old_traces(before)!
-- Delete the traces whose time is over.
DELETE FROM traces WHERE at < :before;
