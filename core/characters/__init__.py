"""What a character brings along beside its personality: its week, what it may say first, and how often."""
