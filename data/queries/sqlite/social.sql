-- Posts, where a list of channels is a JSON list.

-- name: posts_of_author(author_id, places, limit)
-- Read somebody's newest posts in some allowed channels, read or not.
SELECT social_posts.*, social_digests.summary, social_digests.tags, social_digests.features
FROM social_posts
LEFT JOIN social_digests ON social_digests.post_id = social_posts.id
WHERE social_posts.author_id = :author_id
    AND social_posts.place_id IN (SELECT value FROM json_each(:places))
ORDER BY social_posts.id DESC
LIMIT :limit;
