"""The first steps on a server: a welcome to whoever invited the character, and a panel to set it up with."""
