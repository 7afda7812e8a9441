"""The Discord transport. Foreign types stop here: nothing outside this package knows discord.py."""
