"""The social side on SQLite: posts, their digests, the layers of impressions, and the embedding model."""
