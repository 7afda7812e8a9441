"""Speaking first, on SQLite: who wants it, what was decided, what was drafted."""
