"""A character as a member of the community on Discord: what it reads there, and what it does."""
