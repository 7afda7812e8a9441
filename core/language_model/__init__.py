"""Chat models: the client, the chain of fallbacks, the embedded model."""
