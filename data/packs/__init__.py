"""Character packs: folders that describe a character, read and checked as a whole."""
