"""Secrets in texts that leave the program: known values, in every spelling they can come in, are replaced.

Nothing is meant to write a secret in the first place; this is for what libraries and systems say of their own accord.
"""

import re
from collections.abc import Iterable
from urllib.parse import parse_qsl, unquote, urlsplit

MASK = "***"
# A shorter value would mask innocent words; no real token or key is that short.
_SHORTEST = 6
_TELLING = ("pass", "key", "token", "secret", "sig", "auth", "credential", "code")


class Mask:
    """Replaces known secrets in texts."""

    def __init__(self, secrets: Iterable[str]) -> None:
        known = {secret.strip() for secret in secrets}
        # Longest first, or a secret that begins with another one would leave its end behind.
        kept = sorted((secret for secret in known if len(secret) >= _SHORTEST), key=len, reverse=True)
        self._found = re.compile("|".join(map(_pattern, kept))) if kept else None

    def __call__(self, text: str) -> str:
        """Return the text with every secret masked."""
        return text if self._found is None else self._found.sub(MASK, text)


def secrets_in(address: str) -> tuple[str, ...]:
    """Return what of an address is secret: its password, and parameters that say that they are."""
    try:
        parts = urlsplit(address)
        parameters = [(name, value) for name, value in parse_qsl(parts.query) if _tells(name)]
        password = parts.password or ""
    except ValueError:
        return ()
    return tuple(filter(None, (password, unquote(password), *(value for _, value in parameters))))


def _tells(name: str) -> bool:
    return any(word in name.casefold() for word in _TELLING)


def _pattern(secret: str) -> str:
    """Return a pattern of a secret as it is, and as JSON, Python, bytes and addresses spell it, in one another, too."""
    return "".join(char if char.isascii() and char.isalnum() else _char(char) for char in secret)


def _char(char: str) -> str:
    encoded = char.encode()
    in_addresses = "".join(f"%(?i:{byte:02x})" for byte in encoded)
    in_bytes = "".join(rf"\\+x(?i:{byte:02x})" for byte in encoded)
    spaces = r"|\+" if char == " " else ""
    return rf"(?:\\*{re.escape(char)}|{in_addresses}|{in_bytes}|\\+u(?i:{ord(char):04x}){spaces})"
