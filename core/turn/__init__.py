"""The turn: six steps from a message to a verified, archived answer."""
