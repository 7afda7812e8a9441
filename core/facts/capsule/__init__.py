"""The fact capsule: what is so in this turn, by whose it is, told once and right before the newest message."""
