"""SQLite stores that implement core's ports, and the shipped character packs."""
