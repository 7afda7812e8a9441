-- The one embedding model, and what has a vector of another.

-- name: embedding_model()^
-- Read which model the vectors are of.
SELECT name FROM embedding_model WHERE id = 1;

-- name: settle_embedding_model(model)!
-- Record the model where none is.
INSERT INTO embedding_model (id, name) VALUES (1, :model) ON CONFLICT (id) DO NOTHING;

-- name: set_embedding_model(model)!
-- Make it the model of the system.
INSERT INTO embedding_model (id, name) VALUES (1, :model) ON CONFLICT (id) DO UPDATE SET name = excluded.name;

-- name: outdated_digests(model, limit)
-- Read posts whose vector is of another model.
SELECT post_id AS key, summary, tags FROM social_digests
WHERE embedding_model <> :model ORDER BY post_id DESC LIMIT :limit;

-- name: outdated_interests(model, limit)
-- Read interests whose vector is of another model.
SELECT id AS key, source FROM social_interests WHERE embedding_model <> :model ORDER BY id DESC LIMIT :limit;

-- name: outdated_messages(model, limit)
-- Read archived messages whose vector is of another model.
SELECT archive_vectors.archive_id AS key, archive.text
FROM archive_vectors
JOIN archive ON archive.id = archive_vectors.archive_id
WHERE archive_vectors.model <> :model
ORDER BY archive_vectors.archive_id DESC
LIMIT :limit;

-- name: count_outdated(model)^
-- Count what has a vector of another model.
SELECT
    (SELECT count(*) FROM social_digests WHERE embedding_model <> :model) AS digests,
    (SELECT count(*) FROM social_interests WHERE embedding_model <> :model) AS interests,
    (SELECT count(*) FROM archive_vectors WHERE model <> :model) AS messages;

-- name: renew_digest(key, model, vector)!
-- Replace the vector of a post.
UPDATE social_digests SET features = :vector, embedding_model = :model
WHERE post_id = :key AND embedding_model <> :model;

-- name: renew_interest(key, model, vector)!
-- Replace the vector of an interest.
UPDATE social_interests SET features = :vector, embedding_model = :model
WHERE id = :key AND embedding_model <> :model;

-- name: renew_message(key, model, vector)!
-- Replace the vector of an archived message.
UPDATE archive_vectors SET vector = :vector, model = :model
WHERE archive_id = :key AND model <> :model;
