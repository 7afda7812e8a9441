-- What characters make of posts and people.

-- name: allowed_channels()
-- Read every channel that is open to the characters.
SELECT channel_id, guild_id, kind, per_hour, may_post FROM social_channels ORDER BY channel_id;

-- name: allowed_channels_of(guild_id)
-- Read the channels of a server that are open to the characters.
SELECT channel_id, guild_id, kind, per_hour, may_post FROM social_channels
WHERE guild_id = :guild_id ORDER BY channel_id;

-- name: allow_channel(channel_id, guild_id, kind, per_hour, may_post)!
-- Open a channel to the characters, or change how.
INSERT INTO social_channels (channel_id, guild_id, kind, per_hour, may_post)
VALUES (:channel_id, :guild_id, :kind, :per_hour, :may_post)
ON CONFLICT (channel_id) DO UPDATE SET
    guild_id = excluded.guild_id, kind = excluded.kind, per_hour = excluded.per_hour, may_post = excluded.may_post;

-- name: disallow_channel(channel_id)!
-- Close a channel to the characters.
DELETE FROM social_channels WHERE channel_id = :channel_id;

-- name: disallow_guild(guild_id)!
-- Close all channels of a server.
DELETE FROM social_channels WHERE guild_id = :guild_id;

-- name: delete_impressions_in_guild(character, guild_id)!
-- Delete what a character thought of a server's posts, when it is removed from there.
DELETE FROM social_impressions
WHERE character = :character AND post_id IN (SELECT id FROM social_posts WHERE guild_id = :guild_id);

-- name: clear_troubles_of_channel(channel_id)!
-- Forget what was missing in a channel that is closed.
DELETE FROM social_troubles WHERE channel_id = :channel_id;

-- name: interests(character, limit, offset)
-- Read what a character cared about, newest first.
SELECT interest, tags, source, features, made_at FROM social_interests
WHERE character = :character
ORDER BY id DESC
LIMIT :limit OFFSET :offset;

-- name: add_interest(character, interest, tags, source, features, embedding_model, made_at)!
-- Keep what a character cares about now.
INSERT INTO social_interests (character, interest, tags, source, features, embedding_model, made_at)
VALUES (:character, :interest, :tags, :source, :features, :embedding_model, :made_at);

-- name: trim_interests(character, keep)!
-- Delete all but a character's newest interests.
DELETE FROM social_interests WHERE character = :character AND id NOT IN (
    SELECT id FROM social_interests WHERE character = :character ORDER BY id DESC LIMIT :keep
);

-- name: add_impression(character, post_id, user_id, impression, tags, should_like, should_reply, made_at)!
-- Keep what a character thought of a post, once, as long as the post is there.
INSERT INTO social_impressions (character, post_id, user_id, impression, tags, should_like, should_reply, made_at)
SELECT :character, id, :user_id, :impression, :tags, :should_like, :should_reply, :made_at
FROM social_posts
WHERE id = :post_id
ON CONFLICT (character, post_id) DO NOTHING;

-- name: impressions(character, limit, offset)
-- Read what a character thought of posts, newest first.
SELECT post_id, user_id, impression, tags, should_like, should_reply, made_at FROM social_impressions
WHERE character = :character
ORDER BY made_at DESC, post_id DESC
LIMIT :limit OFFSET :offset;

-- name: impressions_of(character, user_id, limit, offset)
-- Read what a character thought of somebody's posts, newest first.
SELECT post_id, user_id, impression, tags, should_like, should_reply, made_at FROM social_impressions
WHERE character = :character AND user_id = :user_id
ORDER BY made_at DESC, post_id DESC
LIMIT :limit OFFSET :offset;

-- name: put_peer(character, user_id, called, impression, tags, should_follow, made_at)!
-- Replace what a character thinks of a member who gave consent, or of another character.
INSERT INTO social_peers (character, user_id, name, impression, tags, should_follow, made_at)
SELECT :character, :user_id, :called, :impression, :tags, :should_follow, :made_at
WHERE EXISTS (
        SELECT 1 FROM memory_consents WHERE user_id = :user_id
        --postgresql FOR SHARE
    )
    OR EXISTS (SELECT 1 FROM social_posts WHERE author_id = :user_id AND character IS NOT NULL)
ON CONFLICT (character, user_id) DO UPDATE SET
    name = excluded.name, impression = excluded.impression, tags = excluded.tags,
    should_follow = excluded.should_follow, made_at = excluded.made_at;

-- name: peer(character, user_id)^
-- Read what a character thinks of somebody.
SELECT user_id, name, impression, tags, should_follow, made_at FROM social_peers
WHERE character = :character AND user_id = :user_id;

-- name: peers(character, limit, offset)
-- Read what a character thinks of people, newest first.
SELECT user_id, name, impression, tags, should_follow, made_at FROM social_peers
WHERE character = :character
ORDER BY made_at DESC, user_id DESC
LIMIT :limit OFFSET :offset;

-- name: count_layers(character)^
-- Count what is kept of a character's interests, impressions and follows.
SELECT
    (SELECT count(*) FROM social_interests WHERE character = :character) AS interests,
    (SELECT count(*) FROM social_peers WHERE character = :character) AS people,
    (SELECT count(*) FROM social_impressions WHERE character = :character) AS posts,
    (SELECT count(*) FROM social_follows WHERE character = :character) AS following;

-- name: following(character)
-- Read whom a character follows, the longest first.
SELECT user_id FROM social_follows WHERE character = :character ORDER BY since, user_id;

-- name: follow(character, user_id, since)!
-- Follow a member who gave consent, or another character.
INSERT INTO social_follows (character, user_id, since)
SELECT :character, :user_id, :since
WHERE EXISTS (
        SELECT 1 FROM memory_consents WHERE user_id = :user_id
        --postgresql FOR SHARE
    )
    OR EXISTS (SELECT 1 FROM social_posts WHERE author_id = :user_id AND character IS NOT NULL)
ON CONFLICT (character, user_id) DO NOTHING;

-- name: unfollow(character, user_id)!
-- Follow somebody no more.
DELETE FROM social_follows WHERE character = :character AND user_id = :user_id;

-- name: note_trouble(character, channel_id, action, since)!
-- Note a permission that is missing, unless that is known.
INSERT INTO social_troubles (character, channel_id, action, since)
VALUES (:character, :channel_id, :action, :since)
ON CONFLICT (character, channel_id, action) DO NOTHING;

-- name: clear_trouble(character, channel_id, action)!
-- Note that a permission is there again.
DELETE FROM social_troubles WHERE character = :character AND channel_id = :channel_id AND action = :action;

-- name: troubles(character)
-- Read which permissions are missing.
SELECT character, channel_id, action, since FROM social_troubles
WHERE character = :character
ORDER BY since, channel_id, action;

-- name: add_cycle(character, began_at, ended_at, done, failed, note)!
-- Keep the numbers of a cycle.
INSERT INTO social_cycles (character, began_at, ended_at, done, failed, note)
VALUES (:character, :began_at, :ended_at, :done, :failed, :note);

-- name: trim_cycles(character, keep)!
-- Delete all but a character's newest cycles.
DELETE FROM social_cycles WHERE character = :character AND id NOT IN (
    SELECT id FROM social_cycles WHERE character = :character ORDER BY id DESC LIMIT :keep
);

-- name: cycles(character, limit)
-- Read a character's newest cycles.
SELECT character, began_at, ended_at, done, failed, note FROM social_cycles
WHERE character = :character
ORDER BY id DESC
LIMIT :limit;

-- name: character_tier(character)^
-- Read the tier that operators chose for a character.
SELECT tier FROM character_tiers WHERE character = :character;

-- name: set_character_tier(character, tier)!
-- Choose a character's tier.
INSERT INTO character_tiers (character, tier) VALUES (:character, :tier)
ON CONFLICT (character) DO UPDATE SET tier = excluded.tier;

-- name: clear_character_tier(character)!
-- Go by the tier of a character's pack again.
DELETE FROM character_tiers WHERE character = :character;
