-- Posts of several people, or by their ids: lists are JSON, but those of channels, which are ids between commas.

-- name: unread_followees(character, places, since, limit)
-- Read the newest posts of those a character follows: of each person the newest, of these the newest.
SELECT newest.*, social_digests.summary, social_digests.tags, social_digests.features
FROM social_follows
CROSS JOIN LATERAL (
    SELECT own.*
    FROM social_posts AS own
    WHERE own.author_id = social_follows.user_id
        AND :places LIKE '%,' || CAST(own.place_id AS TEXT) || ',%'
        AND own.sent_at >= :since
        AND (own.character IS NULL OR own.character <> :character)
        AND NOT EXISTS (
            SELECT 1 FROM social_impressions
            WHERE social_impressions.character = :character AND social_impressions.post_id = own.id
        )
    ORDER BY own.id DESC
    LIMIT :limit
) AS newest
LEFT JOIN social_digests ON social_digests.post_id = newest.id
WHERE social_follows.character = :character
ORDER BY newest.id DESC
LIMIT :limit;

-- name: recent_vectors(authors, places, limit)
-- Read when some people posted last, and the vectors of these posts, where there are any yet; of each the newest posts.
SELECT newest.author_id, newest.sent_at, social_digests.features
FROM json_array_elements_text(:authors) AS person
CROSS JOIN LATERAL (
    SELECT own.id, own.author_id, own.sent_at
    FROM social_posts AS own
    WHERE own.author_id = person.value::bigint
        AND :places LIKE '%,' || CAST(own.place_id AS TEXT) || ',%'
    ORDER BY own.id DESC
    LIMIT :limit
) AS newest
LEFT JOIN social_digests ON social_digests.post_id = newest.id;

-- name: posts_by_id(ids)
-- Read posts with what they are about.
SELECT social_posts.*, social_digests.summary, social_digests.tags, social_digests.features
FROM social_posts
LEFT JOIN social_digests ON social_digests.post_id = social_posts.id
WHERE social_posts.id = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids)));
