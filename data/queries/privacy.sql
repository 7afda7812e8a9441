-- What is kept about one person. A private conversation belongs to them wholly, with the character's part of it.

-- name: list_users(user_id)
-- Show a person what is kept of their profile.
SELECT locale, seen_locale, timezone, opted_out, notice_shown, last_fact_number FROM users WHERE id = :user_id;

-- name: list_acquaintances(user_id)
-- Show a person when they last spoke to which character.
SELECT character, last_seen_at FROM acquaintances WHERE user_id = :user_id ORDER BY character;

-- name: list_conversations(user_id)
-- Show a person their private conversations.
SELECT character, channel_id, kind FROM conversations WHERE owner_id = :user_id ORDER BY id;

-- name: list_sessions(user_id)
-- Show a person the sessions of their private conversations.
SELECT conversations.character, conversations.channel_id, sessions.started_at, sessions.last_active_at,
    sessions.expires_at, sessions.turns
FROM sessions
JOIN conversations ON conversations.id = sessions.conversation_id
WHERE conversations.owner_id = :user_id
ORDER BY sessions.conversation_id;

-- name: list_stance_inertia(user_id)
-- Show a person what is remembered of the stance towards them.
SELECT conversations.character, conversations.channel_id, stance_inertia.expires_at,
    stance_inertia.active_pushback_count, stance_inertia.reflective_support_turn_count,
    stance_inertia.high_stakes_turn_count, stance_inertia.recent_overreliance_marker,
    stance_inertia.last_stance_gate_reason
FROM stance_inertia
JOIN conversations ON conversations.id = stance_inertia.conversation_id
WHERE stance_inertia.user_id = :user_id
ORDER BY stance_inertia.conversation_id;

-- name: list_archive(user_id)
-- Show a person what they wrote, and both sides of their private conversations.
SELECT conversations.character, conversations.channel_id, conversations.guild_id, archive.message_id,
    archive.author_id, archive.author_name, archive.is_self, archive.text, archive.sensitive, archive.sent_at,
    archive.edited_at
FROM archive
JOIN conversations ON conversations.id = archive.conversation_id
WHERE archive.id IN (
    SELECT id FROM archive WHERE author_id = :user_id
    UNION
    SELECT id FROM archive WHERE conversation_id IN (SELECT id FROM conversations WHERE owner_id = :user_id)
)
ORDER BY archive.id;

-- name: list_kept_facts(user_id)
-- Show a person what they asked to have kept.
SELECT number, text, told_at, source_message_id, source_channel_id, source_guild_id
FROM kept_facts
WHERE user_id = :user_id
ORDER BY number;

-- name: list_summaries(user_id)
-- Show a person the summaries that hold what they said; the words only where nobody else's are in them.
SELECT conversations.character, conversations.channel_id, conversations.guild_id, summaries.until, summaries.made_at,
    CASE WHEN conversations.owner_id = :user_id THEN summaries.text END AS text
FROM summaries
JOIN conversations ON conversations.id = summaries.conversation_id
WHERE summaries.conversation_id IN (
    SELECT id FROM conversations WHERE owner_id = :user_id
    UNION
    SELECT summary_sources.conversation_id
    FROM archive
    JOIN summary_sources
        ON summary_sources.conversation_id = archive.conversation_id
        AND summary_sources.message_id = archive.message_id
    WHERE archive.author_id = :user_id
)
ORDER BY summaries.conversation_id;

-- name: list_memory_consents(user_id)
-- Show a person since when characters may form impressions of them.
SELECT given_at FROM memory_consents WHERE user_id = :user_id;

-- name: list_usage(user_id)
-- Show a person the model calls that were made for them.
SELECT at, day, character, guild_id, feature, model, input_tokens, output_tokens, estimated, cost_micros, outcome
FROM usage WHERE user_id = :user_id ORDER BY id;

-- name: list_usage_days(user_id)
-- Show a person what they used day by day.
SELECT day, nullif(guild_id, 0) AS guild_id, calls, input_tokens, output_tokens, estimated AS estimated_calls, cost_micros
FROM usage_days WHERE user_id = :user_id AND substr(day, 9, 2) <> '00' ORDER BY day, usage_days.guild_id;

-- name: list_traces(user_id)
-- Show a person what their turns did.
SELECT conversations.character, conversations.channel_id, traces.turn_id, traces.at, traces.message_ids,
    traces.reply_ids, traces.outcome, traces.model, traces.steps
FROM traces
JOIN conversations ON conversations.id = traces.conversation_id
WHERE traces.id IN (
    SELECT id FROM traces WHERE user_id = :user_id
    UNION
    SELECT id FROM traces WHERE conversation_id IN (SELECT id FROM conversations WHERE owner_id = :user_id)
)
ORDER BY traces.id;

-- name: list_proactive_subscriptions(user_id)
-- Show a person which characters may speak to them first, and how they chose it.
SELECT character, enabled, timezone, windows, quiet_hours, per_day, minimum_gap_minutes, locale, paused_until,
    suspended_until, spoke_at, unanswered, due_at
FROM proactive_subscriptions WHERE kind = 'user' AND recipient_id = :user_id ORDER BY id;

-- name: list_proactive_channels(user_id)
-- Show a person the channels they let a character speak first in.
SELECT character, guild_id, recipient_id AS channel_id FROM proactive_subscriptions
WHERE chosen_by = :user_id ORDER BY id;

-- name: list_proactive_slots(user_id)
-- Show a person what was decided on their occasions.
SELECT character, slot_key, due_at, state, reason, offered, candidate_id, locale, grounding, selector, checks,
    observed_at, claimed_at, sent_at, message_id
FROM proactive_slots WHERE kind = 'user' AND recipient_id = :user_id ORDER BY id;

-- name: list_social_impressions(user_id)
-- Show a person what characters thought of their posts.
SELECT character, post_id, impression, tags, should_like, should_reply, made_at FROM social_impressions
WHERE user_id = :user_id ORDER BY character, post_id;

-- name: list_social_peers(user_id)
-- Show a person what characters think of them.
SELECT character, name, impression, tags, should_follow, made_at FROM social_peers
WHERE user_id = :user_id ORDER BY character;

-- name: list_social_follows(user_id)
-- Show a person which characters prefer to read them.
SELECT character, since FROM social_follows WHERE user_id = :user_id ORDER BY character;

-- name: list_social_posts(user_id)
-- Show a person their posts as characters read them, with what they were found to be about.
SELECT social_posts.id AS post_id, social_posts.author_name, social_posts.channel_id, social_posts.guild_id,
    social_posts.title, social_posts.text, social_posts.language, social_posts.reply_to, social_posts.mentions,
    social_posts.sent_at, social_digests.summary, social_digests.tags, social_digests.features
FROM social_posts
LEFT JOIN social_digests ON social_digests.post_id = social_posts.id
WHERE social_posts.author_id = :user_id
ORDER BY social_posts.id;

-- name: count_users(user_id)$
-- Count profiles.
SELECT count(*) FROM users WHERE id = :user_id;

-- name: count_acquaintances(user_id)$
-- Count the characters a person spoke to.
SELECT count(*) FROM acquaintances WHERE user_id = :user_id;

-- name: count_conversations(user_id)$
-- Count private conversations.
SELECT count(*) FROM conversations WHERE owner_id = :user_id;

-- name: count_sessions(user_id)$
-- Count sessions of private conversations.
SELECT count(*) FROM sessions
WHERE conversation_id IN (SELECT id FROM conversations WHERE owner_id = :user_id);

-- name: count_stance_inertia(user_id)$
-- Count in how many conversations something is remembered of the stance towards a person.
SELECT count(*) FROM stance_inertia WHERE user_id = :user_id;

-- name: count_archive(user_id)$
-- Count archived messages.
SELECT count(*) FROM archive WHERE id IN (
    SELECT id FROM archive WHERE author_id = :user_id
    UNION
    SELECT id FROM archive WHERE conversation_id IN (SELECT id FROM conversations WHERE owner_id = :user_id)
);

-- name: count_kept_facts(user_id)$
-- Count what a person asked to have kept.
SELECT count(*) FROM kept_facts WHERE user_id = :user_id;

-- name: count_summaries(user_id)$
-- Count the summaries that hold what a person said.
SELECT count(*) FROM summaries WHERE conversation_id IN (
    SELECT id FROM conversations WHERE owner_id = :user_id
    UNION
    SELECT summary_sources.conversation_id
    FROM archive
    JOIN summary_sources
        ON summary_sources.conversation_id = archive.conversation_id
        AND summary_sources.message_id = archive.message_id
    WHERE archive.author_id = :user_id
);

-- name: count_memory_consents(user_id)$
-- Count whether characters may form impressions of a person.
SELECT count(*) FROM memory_consents WHERE user_id = :user_id;

-- name: count_usage(user_id)$
-- Count model calls.
SELECT count(*) FROM usage WHERE user_id = :user_id;

-- name: count_usage_days(user_id)$
-- Count the days and places of what a person used.
SELECT count(*) FROM usage_days WHERE user_id = :user_id AND substr(day, 9, 2) <> '00';

-- name: count_traces(user_id)$
-- Count traces.
SELECT count(*) FROM traces WHERE id IN (
    SELECT id FROM traces WHERE user_id = :user_id
    UNION
    SELECT id FROM traces WHERE conversation_id IN (SELECT id FROM conversations WHERE owner_id = :user_id)
);

-- name: count_proactive_subscriptions(user_id)$
-- Count the characters that a person lets speak first, or did.
SELECT count(*) FROM proactive_subscriptions WHERE kind = 'user' AND recipient_id = :user_id;

-- name: count_proactive_channels(user_id)$
-- Count the channels a person chose.
SELECT count(*) FROM proactive_subscriptions WHERE chosen_by = :user_id;

-- name: count_proactive_slots(user_id)$
-- Count a person's decided occasions.
SELECT count(*) FROM proactive_slots WHERE kind = 'user' AND recipient_id = :user_id;

-- name: count_social_impressions(user_id)$
-- Count what characters thought of a person's posts.
SELECT count(*) FROM social_impressions WHERE user_id = :user_id;

-- name: count_social_peers(user_id)$
-- Count the characters that think something of a person.
SELECT count(*) FROM social_peers WHERE user_id = :user_id;

-- name: count_social_follows(user_id)$
-- Count the characters that follow a person.
SELECT count(*) FROM social_follows WHERE user_id = :user_id;

-- name: count_social_posts(user_id)$
-- Count a person's posts in allowed channels.
SELECT count(*) FROM social_posts WHERE author_id = :user_id;

-- name: forget_sessions(user_id)!
-- Delete the sessions of a person's private conversations.
DELETE FROM sessions WHERE conversation_id IN (SELECT id FROM conversations WHERE owner_id = :user_id);

-- name: forget_stance_inertia(user_id)!
-- Delete what is remembered of the stance towards a person.
DELETE FROM stance_inertia WHERE user_id = :user_id;

-- name: forget_archive(user_id)!
-- Delete what a person wrote, and both sides of their private conversations.
DELETE FROM archive WHERE id IN (
    SELECT id FROM archive WHERE author_id = :user_id
    UNION
    SELECT id FROM archive WHERE conversation_id IN (SELECT id FROM conversations WHERE owner_id = :user_id)
);

-- name: forget_traces(user_id)!
-- Delete the traces of a person's turns.
DELETE FROM traces WHERE id IN (
    SELECT id FROM traces WHERE user_id = :user_id
    UNION
    SELECT id FROM traces WHERE conversation_id IN (SELECT id FROM conversations WHERE owner_id = :user_id)
);

-- name: forget_kept_facts(user_id)!
-- Delete what a person asked to have kept.
DELETE FROM kept_facts WHERE user_id = :user_id;

-- name: forget_summaries(user_id)!
-- Delete the summaries that hold what a person said; before the messages, which would take them along uncounted.
DELETE FROM summaries WHERE conversation_id IN (
    SELECT id FROM conversations WHERE owner_id = :user_id
    UNION
    SELECT summary_sources.conversation_id
    FROM archive
    JOIN summary_sources
        ON summary_sources.conversation_id = archive.conversation_id
        AND summary_sources.message_id = archive.message_id
    WHERE archive.author_id = :user_id
);

-- name: forget_social_impressions(user_id)!
-- Delete what characters thought of a person's posts.
DELETE FROM social_impressions WHERE user_id = :user_id;

-- name: forget_social_peers(user_id)!
-- Delete what characters think of a person.
DELETE FROM social_peers WHERE user_id = :user_id;

-- name: forget_social_follows(user_id)!
-- Take a person off the lists of whom characters follow.
DELETE FROM social_follows WHERE user_id = :user_id;

-- name: forget_social_posts(user_id)!
-- Delete a person's posts with what they are about.
DELETE FROM social_posts WHERE author_id = :user_id;

-- name: forget_memory_consents(user_id)!
-- Delete a person's consent, with all that rests on it.
DELETE FROM memory_consents WHERE user_id = :user_id;

-- name: forget_acquaintances(user_id)!
-- Delete when a person spoke to which character.
DELETE FROM acquaintances WHERE user_id = :user_id;

-- name: forget_usage(user_id)!
-- Keep only the numbers of a person's model calls: the day's totals of a server and of all must not shrink.
UPDATE usage SET user_id = 0, at = NULL WHERE user_id = :user_id;

-- name: add_days_to_nobody(user_id)!
-- Add what a person used on days and in months to what nobody used, before the former is deleted.
INSERT INTO usage_days (day, user_id, guild_id, calls, input_tokens, output_tokens, estimated, cost_micros)
SELECT day, 0, guild_id, calls, input_tokens, output_tokens, estimated, cost_micros
FROM usage_days WHERE user_id = :user_id
ON CONFLICT (day, user_id, guild_id) DO UPDATE
SET calls = usage_days.calls + excluded.calls, input_tokens = usage_days.input_tokens + excluded.input_tokens,
    output_tokens = usage_days.output_tokens + excluded.output_tokens,
    estimated = usage_days.estimated + excluded.estimated, cost_micros = usage_days.cost_micros + excluded.cost_micros;

-- name: forget_usage_months(user_id)!
-- Delete what a person used month by month.
DELETE FROM usage_days WHERE user_id = :user_id AND substr(day, 9, 2) = '00';

-- name: forget_usage_days(user_id)!
-- Delete what a person used day by day.
DELETE FROM usage_days WHERE user_id = :user_id;

-- name: forget_conversations(user_id)!
-- Delete a person's private conversations.
DELETE FROM conversations WHERE owner_id = :user_id;

-- name: forget_proactive_subscriptions(user_id)!
-- Delete a person's consents, and what is due with them.
DELETE FROM proactive_subscriptions WHERE kind = 'user' AND recipient_id = :user_id;

-- name: forget_proactive_channels(user_id)!
-- Let go of who chose a channel; what was chosen for it is the server's.
UPDATE proactive_subscriptions SET chosen_by = NULL WHERE chosen_by = :user_id;

-- name: forget_proactive_slots(user_id)!
-- Delete what was decided on a person's occasions; a claim under way ends with its row.
DELETE FROM proactive_slots WHERE kind = 'user' AND recipient_id = :user_id;

-- name: forget_user(user_id)!
-- Delete the profile of a person who did not opt out.
DELETE FROM users WHERE id = :user_id AND opted_out = 0;

-- name: strip_user(user_id)!
-- Leave of the profile of a person who opted out that bare fact.
UPDATE users SET locale = NULL, seen_locale = NULL, timezone = NULL, notice_shown = 0, last_fact_number = 0
WHERE id = :user_id
    AND opted_out = 1
    AND (locale IS NOT NULL OR seen_locale IS NOT NULL OR timezone IS NOT NULL OR notice_shown = 1
        OR last_fact_number > 0);
