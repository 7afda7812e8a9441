"""Copies what is in a file of SQLite to a PostgreSQL server."""
