"""Backups of an SQLite database: made while it is used, checked, rotated, and restored without undoing deletions."""
