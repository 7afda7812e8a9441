"""A learned second opinion about what may be said first, behind the rules."""
