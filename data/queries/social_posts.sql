-- Posts of allowed channels, found and put away.

-- name: add_post(id, author_id, author_name, character, kind, channel_id, guild_id, parent_id, place_id, title, text, language, reply_to, answers, mentions, open_to, sent_at)!
-- Keep a post of a character, or of a member who gave consent; not what the archive holds as sensitive.
INSERT INTO social_posts (
    id, author_id, author_name, character, kind, channel_id, guild_id, parent_id, place_id, title, text, language,
    reply_to, answers, mentions, open_to, sent_at
)
SELECT
    :id, :author_id, :author_name, :character, :kind, :channel_id, :guild_id, :parent_id, :place_id, :title, :text,
    :language, :reply_to, :answers, :mentions, :open_to, :sent_at
WHERE (CAST(:character AS TEXT) IS NOT NULL OR EXISTS (
        SELECT 1 FROM memory_consents WHERE user_id = :author_id
        --postgresql FOR SHARE
    ))
    AND NOT EXISTS (SELECT 1 FROM archive WHERE message_id = :id AND sensitive = 1)
ON CONFLICT (id) DO NOTHING;

-- name: add_notice(character, kind, post_id)!
-- Let a character hear of a post that answers or mentions it, if the post was kept.
INSERT INTO social_notices (character, kind, post_id)
SELECT :character, :kind, id FROM social_posts WHERE id = :post_id
ON CONFLICT (character, kind, post_id) DO NOTHING;

-- name: post(id)^
-- Read a post with what it is about.
SELECT social_posts.*, social_digests.summary, social_digests.tags, social_digests.features
FROM social_posts
LEFT JOIN social_digests ON social_digests.post_id = social_posts.id
WHERE social_posts.id = :id;

-- name: unread_newest(character, place_id, since, limit)
-- Read the newest posts of an allowed channel that a character has not read.
SELECT social_posts.*, social_digests.summary, social_digests.tags, social_digests.features
FROM social_posts
LEFT JOIN social_digests ON social_digests.post_id = social_posts.id
WHERE social_posts.place_id = :place_id
    AND social_posts.sent_at >= :since
    AND (social_posts.character IS NULL OR social_posts.character <> :character)
    AND NOT EXISTS (
        SELECT 1 FROM social_impressions
        WHERE social_impressions.character = :character AND social_impressions.post_id = social_posts.id
    )
ORDER BY social_posts.id DESC
LIMIT :limit;

-- name: unread_notices(character, notice, places, since, limit)
-- Read the newest posts that answer or mention a character in some allowed channels (their ids between commas).
SELECT social_posts.*, social_digests.summary, social_digests.tags, social_digests.features
FROM social_notices
JOIN social_posts ON social_posts.id = social_notices.post_id
LEFT JOIN social_digests ON social_digests.post_id = social_posts.id
WHERE social_notices.character = :character
    AND social_notices.kind = :notice
    AND :places LIKE '%,' || CAST(social_posts.place_id AS TEXT) || ',%'
    AND social_posts.sent_at >= :since
    AND (social_posts.character IS NULL OR social_posts.character <> :character)
    AND NOT EXISTS (
        SELECT 1 FROM social_impressions
        WHERE social_impressions.character = :character AND social_impressions.post_id = social_posts.id
    )
ORDER BY social_notices.post_id DESC
LIMIT :limit;

-- name: unread_of_author(character, author_id, places, since, limit)
-- Read somebody's newest posts in some allowed channels (their ids between commas).
SELECT social_posts.*, social_digests.summary, social_digests.tags, social_digests.features
FROM social_posts
LEFT JOIN social_digests ON social_digests.post_id = social_posts.id
WHERE social_posts.author_id = :author_id
    AND :places LIKE '%,' || CAST(social_posts.place_id AS TEXT) || ',%'
    AND social_posts.sent_at >= :since
    AND (social_posts.character IS NULL OR social_posts.character <> :character)
    AND NOT EXISTS (
        SELECT 1 FROM social_impressions
        WHERE social_impressions.character = :character AND social_impressions.post_id = social_posts.id
    )
ORDER BY social_posts.id DESC
LIMIT :limit;

-- name: vectors_under_tag(character, tag, places, since, limit)
-- Read the vectors of the newest posts under a tag that a character may read (channels: their ids between commas).
SELECT social_digests.post_id AS id, social_digests.features
FROM social_tags
JOIN social_posts ON social_posts.id = social_tags.post_id
JOIN social_digests ON social_digests.post_id = social_tags.post_id
WHERE social_tags.name = :tag
    AND :places LIKE '%,' || CAST(social_posts.place_id AS TEXT) || ',%'
    AND social_posts.sent_at >= :since
    AND (social_posts.character IS NULL OR social_posts.character <> :character)
    AND NOT EXISTS (
        SELECT 1 FROM social_impressions
        WHERE social_impressions.character = :character AND social_impressions.post_id = social_tags.post_id
    )
ORDER BY social_tags.post_id DESC
LIMIT :limit;

-- name: newest_vectors(character, place_id, since, limit)
-- Read the vectors of the newest posts of an allowed channel that a character may read.
SELECT social_digests.post_id AS id, social_digests.features
FROM social_posts
JOIN social_digests ON social_digests.post_id = social_posts.id
WHERE social_posts.place_id = :place_id
    AND social_posts.sent_at >= :since
    AND (social_posts.character IS NULL OR social_posts.character <> :character)
    AND NOT EXISTS (
        SELECT 1 FROM social_impressions
        WHERE social_impressions.character = :character AND social_impressions.post_id = social_posts.id
    )
ORDER BY social_posts.id DESC
LIMIT :limit;

-- name: posts_of_author(author_id, places, limit)
-- Read somebody's newest posts in some allowed channels (their ids between commas), read or not.
SELECT social_posts.*, social_digests.summary, social_digests.tags, social_digests.features
FROM social_posts
LEFT JOIN social_digests ON social_digests.post_id = social_posts.id
WHERE social_posts.author_id = :author_id
    AND :places LIKE '%,' || CAST(social_posts.place_id AS TEXT) || ',%'
ORDER BY social_posts.id DESC
LIMIT :limit;

-- name: posts_of_character(character, limit)
-- Read a character's newest posts and replies.
SELECT social_posts.*, social_digests.summary, social_digests.tags, social_digests.features
FROM social_posts
LEFT JOIN social_digests ON social_digests.post_id = social_posts.id
WHERE social_posts.character = :character
ORDER BY social_posts.id DESC
LIMIT :limit;

-- name: note_new_post(character, posted_at)!
-- Note when a character posted something that answers nothing; it holds longer than the post is kept.
INSERT INTO social_moments (character, posted_at) VALUES (:character, :posted_at)
ON CONFLICT (character) DO UPDATE SET posted_at = excluded.posted_at
WHERE excluded.posted_at > social_moments.posted_at;

-- name: last_new_post(character)^
-- Look up when a character last posted something that answers nothing.
SELECT posted_at FROM social_moments WHERE character = :character;

-- name: written_since(character, place_id, since)$
-- Count what a character wrote in an allowed channel since a moment.
SELECT count(*) FROM social_posts
WHERE character = :character AND place_id = :place_id AND sent_at >= :since;

-- name: social_followers(character, since, limit)
-- Find who answered or mentioned a character since a moment, the latest first.
SELECT social_posts.author_id, max(social_posts.id) AS latest
FROM social_notices
JOIN social_posts ON social_posts.id = social_notices.post_id
WHERE social_notices.character = :character
    AND social_posts.sent_at >= :since
    AND (social_posts.character IS NULL OR social_posts.character <> :character)
GROUP BY social_posts.author_id
ORDER BY latest DESC
LIMIT :limit;

-- name: replies_to_post(post_id, limit)
-- Read the newest direct replies to a post.
SELECT social_posts.*, social_digests.summary, social_digests.tags, social_digests.features
FROM social_posts
LEFT JOIN social_digests ON social_digests.post_id = social_posts.id
WHERE social_posts.reply_to = :post_id
ORDER BY social_posts.id DESC
LIMIT :limit;

-- name: newest_post(place_id)$
-- Look up the newest post kept of an allowed channel.
SELECT id FROM social_posts WHERE place_id = :place_id ORDER BY id DESC LIMIT 1;

-- name: count_posts()$
-- Count the posts that are kept.
SELECT count(*) FROM social_posts;

-- name: edit_post(id, text)!
-- Replace the text of a post; what it is about is found out anew.
UPDATE social_posts SET text = :text WHERE id = :id;

-- name: delete_post(id)!
-- Delete a post with all that was made of it.
DELETE FROM social_posts WHERE id = :id;

-- name: delete_posts_of_channel(channel_id)!
-- Delete the posts of a channel that is gone, or no longer allowed, and of its threads.
DELETE FROM social_posts WHERE channel_id = :channel_id OR place_id = :channel_id;

-- name: delete_posts_of_guild(guild_id)!
-- Delete the posts of a server that was left.
DELETE FROM social_posts WHERE guild_id = :guild_id;

-- name: delete_oldest_posts(before, limit)!
-- Delete a slice of the posts whose time is over.
DELETE FROM social_posts WHERE id IN (
    SELECT id FROM social_posts WHERE sent_at < :before ORDER BY sent_at LIMIT :limit
);

-- name: undigested_posts(attempts, limit)
-- Read the newest posts of which it isn't known yet what they are about.
SELECT social_posts.*
FROM social_posts
LEFT JOIN social_digests ON social_digests.post_id = social_posts.id
WHERE social_digests.post_id IS NULL AND social_posts.attempts < :attempts
ORDER BY social_posts.id DESC
LIMIT :limit;

-- name: backlog(attempts)^
-- Count the posts that wait to be summarised, and those that were given up; when the oldest that waits was sent.
SELECT
    count(CASE WHEN social_posts.attempts < :attempts THEN 1 END) AS waiting,
    count(CASE WHEN social_posts.attempts >= :attempts THEN 1 END) AS given_up,
    min(CASE WHEN social_posts.attempts < :attempts THEN social_posts.sent_at END) AS oldest
FROM social_posts
LEFT JOIN social_digests ON social_digests.post_id = social_posts.id
WHERE social_digests.post_id IS NULL;

-- name: put_digest(post_id, text, summary, tags, features, embedding_model, made_at)!
-- Keep what a post is about, if it still has the text that was read.
INSERT INTO social_digests (post_id, summary, tags, features, embedding_model, made_at)
SELECT id, :summary, :tags, :features, :embedding_model, :made_at
FROM social_posts
WHERE id = :post_id AND text = :text
--postgresql FOR SHARE
ON CONFLICT (post_id) DO UPDATE SET
    summary = excluded.summary, tags = excluded.tags, features = excluded.features,
    embedding_model = excluded.embedding_model, made_at = excluded.made_at;

-- name: clear_tags(post_id)!
-- Take a post from under its tags.
DELETE FROM social_tags WHERE post_id = :post_id;

-- name: add_tag(name, post_id)!
-- Put a post under a tag.
INSERT INTO social_tags (name, post_id) VALUES (:name, :post_id) ON CONFLICT (name, post_id) DO NOTHING;

-- name: digest_failed(post_id)!
-- Count an attempt that failed.
UPDATE social_posts SET attempts = attempts + 1 WHERE id = :post_id;
