-- What keeps changes from crossing, where SQLite's one writer does. A lock has two numbers, its kind and a place in it, and
-- lasts to the end of the transaction: 0 the schema (data/postgresql/schema.py), 1 a person or a server, 2 moments of the
-- archive, 3 summaries (also the triggers on the archive take it, shared: they don't wait for each other), 4 messages that
-- become posts, 5 limits of model calls, 6 leases of a name, 7 a copy into the database (data/postgresql/receiving.py).

-- name: hold_owner(id)
-- Let one change at a time be made to what belongs to a person or a server.
SELECT pg_advisory_xact_lock(1, (:id % 1000003)::int);

-- name: hold_source(message_id)
-- Keep a message from being deleted or edited while a fact that was told in it is stored.
SELECT 1 FROM archive WHERE message_id = :message_id FOR SHARE;

-- name: hold_moments(moments)
-- Let one transaction at a time give out ids that begin with some moments (a JSON list); in one order, whoever asks.
SELECT pg_advisory_xact_lock(2, place)
FROM (
    SELECT DISTINCT (value::bigint % 1024)::int AS place FROM json_array_elements_text(:moments) ORDER BY place
) AS places;

-- name: hold_messages(messages)
-- Let a message not become sensitive while a post is made of it (Discord's ids as a JSON list).
SELECT pg_advisory_xact_lock(4, place)
FROM (
    SELECT DISTINCT (value::bigint % 1000003)::int AS place FROM json_array_elements_text(:messages) ORDER BY place
) AS places;

-- name: hold_summary(conversation_id)
-- Keep what a conversation's summary is made of as it is, while the summary is made.
SELECT pg_advisory_xact_lock(3, (:conversation_id % 64)::int);

-- name: hold_summaries()
-- Wait for the summaries that are being made, before those of somebody's words are deleted.
SELECT pg_advisory_xact_lock_shared(3, place) FROM generate_series(0, 63) AS place;

-- name: hold_subscription(character, kind, recipient_id)
-- Let one claim at a time be made for a recipient, and nobody change or delete their consent meanwhile.
SELECT 1 FROM proactive_subscriptions
WHERE character = :character AND kind = :kind AND recipient_id = :recipient_id
FOR UPDATE;

-- name: hold_caps()
-- Let one call at a time be counted: what others have reserved counts for the limits of the next, and sums of days grow.
SELECT pg_advisory_xact_lock(5, 0);

-- name: hold_leases(character)
-- Let one process at a time take shards of a character, or one of its turns to begin a session.
SELECT pg_advisory_xact_lock(6, hashtext(:character));
