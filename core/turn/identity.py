"""Ids of turns, and of anything else that has to be the same after a restart."""

import hashlib

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
TURN_ID_LENGTH = 20


def turn_id(character: str, message_id: int, attempt: int = 0) -> str:
    """Return the id of the turn that answers a message: 20 characters of [0-9a-z], the same after a restart.

    Nonces come from it, so an answer that was sent just before a crash is recognised instead of sent again.
    """
    return lasting_id(character, message_id, attempt)


def lasting_id(*parts: object) -> str:
    """Return 20 characters of [0-9a-z] that are the same for the same parts for ever."""
    number = int.from_bytes(hashlib.sha256("\0".join(str(part) for part in parts).encode()).digest())
    digits = []
    for _ in range(TURN_ID_LENGTH):
        number, digit = divmod(number, 36)
        digits.append(_DIGITS[digit])
    return "".join(digits)
