-- What is looked through when a backup was restored, for what had been deleted since it was made.

-- name: people_on_record()
-- List everybody of whom anything is kept.
SELECT id AS user_id FROM users
UNION SELECT owner_id FROM conversations WHERE owner_id IS NOT NULL
UNION SELECT author_id FROM archive
UNION SELECT user_id FROM acquaintances
UNION SELECT user_id FROM stance_inertia
UNION SELECT user_id FROM kept_facts
UNION SELECT user_id FROM memory_consents
UNION SELECT user_id FROM usage
UNION SELECT user_id FROM traces
UNION SELECT chosen_by FROM proactive_subscriptions WHERE chosen_by IS NOT NULL
UNION SELECT recipient_id FROM proactive_subscriptions WHERE kind = 'user'
UNION SELECT recipient_id FROM proactive_slots WHERE kind = 'user'
UNION SELECT author_id FROM social_posts
UNION SELECT user_id FROM social_impressions
UNION SELECT user_id FROM social_peers
UNION SELECT user_id FROM social_follows;

-- name: messages_on_record()
-- List every message of which anything is kept.
SELECT message_id FROM archive
UNION SELECT id FROM social_posts
UNION SELECT source_message_id FROM kept_facts WHERE source_message_id IS NOT NULL;

-- name: facts_on_record()
-- List every fact that somebody wants kept.
SELECT user_id, number FROM kept_facts;

-- name: channels_on_record()
-- List every channel of which anything is kept.
SELECT channel_id FROM conversations
UNION SELECT parent_id FROM conversations WHERE parent_id IS NOT NULL
UNION SELECT channel_id FROM social_posts;

-- name: guilds_on_record()
-- List every server of which anything is kept, by character.
SELECT DISTINCT guild_id, character FROM conversations WHERE guild_id IS NOT NULL;

-- name: servers_on_record()
-- List every server with settings, or where something was told or posted that is kept.
SELECT guild_id FROM guild_settings
UNION SELECT guild_id FROM allowed_phrases
UNION SELECT guild_id FROM social_channels
UNION SELECT source_guild_id FROM kept_facts WHERE source_guild_id IS NOT NULL
UNION SELECT guild_id FROM social_posts WHERE guild_id IS NOT NULL;

-- name: recipients_on_record()
-- List whom characters may speak to first.
SELECT character, kind, recipient_id FROM proactive_subscriptions WHERE enabled = 1;
