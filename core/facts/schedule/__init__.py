"""What a character is doing at a moment, since when, until when, and what comes next. docs/schedule.md defines it."""
