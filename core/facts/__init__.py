"""What is so: the one clock, what the character is doing, what is known of the user, and what may be said of it."""
