"""A member of the community: reading, impressions, a drifting interest, and what may be done about it (seed 002)."""
