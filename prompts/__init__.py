"""Text templates and user-visible messages by locale, and their loader."""
