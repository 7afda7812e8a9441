-- When a character last posted something new: it holds longer than the post is kept.
CREATE TABLE social_moments (
    character TEXT PRIMARY KEY,
    posted_at BIGINT NOT NULL
);
