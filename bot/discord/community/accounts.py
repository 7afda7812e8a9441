"""Which accounts on Discord are our own characters'."""


class Accounts:
    """The accounts of the characters in this process, by user id; shared by all of them."""

    def __init__(self) -> None:
        self._names: dict[int, str] = {}

    def know(self, user_id: int, character: str) -> None:
        """Remember whose account it is."""
        self._names[user_id] = character

    def character_of(self, user_id: int) -> str | None:
        """Return the character with an account; None for everybody else's."""
        return self._names.get(user_id)
