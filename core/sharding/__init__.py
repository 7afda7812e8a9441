"""Which part of Discord a process looks after, and how it keeps others from looking after the same."""
