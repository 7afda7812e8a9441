"""Rules about what a text that is said first may not claim: about the moment, the character's life, the reader."""
