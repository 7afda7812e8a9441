"""Making texts comparable that differ only in how they were typed."""

import re
import unicodedata

_ELONGATION = re.compile(r"([ーｰ〜～~…])\1+")
_VARIATION_SELECTORS = range(0xFE00, 0xFE10)


def fold(text: str) -> str:
    """Return the text in NFKC, without invisible characters, and with repeated elongation marks made one."""
    visible = "".join(character for character in unicodedata.normalize("NFKC", text) if not _is_invisible(character))
    return _ELONGATION.sub(r"\1", visible)


def _is_invisible(character: str) -> bool:
    return unicodedata.category(character) == "Cf" or ord(character) in _VARIATION_SELECTORS
