"""Making texts comparable that differ only in how they were typed."""

import re
import unicodedata

_ELONGATION = re.compile(r"([ー〜~])\1+")
_ELONGATED_IN_ASCII = "~~"
_ELONGATED = ("ーー", "〜〜", _ELONGATED_IN_ASCII)
_VARIATION_SELECTORS = re.compile("[\ufe00-\ufe0f]")


def fold(text: str) -> str:
    """Return the text in NFKC, without invisible characters, and with repeated elongation marks made one.

    Archives are folded by the ten thousand: what is rarely there is looked for as a whole before it is looked for
    character by character.
    """
    if text.isascii():
        return _ELONGATION.sub(r"\1", text) if _ELONGATED_IN_ASCII in text else text
    visible = _VARIATION_SELECTORS.sub("", unicodedata.normalize("NFKC", text))
    if not visible.replace("\n", "").isprintable():
        visible = "".join(character for character in visible if unicodedata.category(character) != "Cf")
    if any(marks in visible for marks in _ELONGATED):
        visible = _ELONGATION.sub(r"\1", visible)
    return visible
