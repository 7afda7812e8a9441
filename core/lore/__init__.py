"""What a character's world is like, told piece by piece where a talk touches it."""
