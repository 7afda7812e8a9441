"""Filters for what people wrote: inside a template it is data, and can't close the tag it stands in."""

import re

_OWN_TAG = re.compile(r"<(?=\s*/?\s*(?:quoted|file|evidence|note|earlier|talk|lore|voice)\b)", re.IGNORECASE)
_SPACE = re.compile(r"\s+")


def as_data(text: str) -> str:
    """Return text in which the tags of our templates have lost their opening bracket."""
    return _OWN_TAG.sub("‹", text).strip()


def one_line(text: str) -> str:
    """Return a name as data on one line, fit to stand between double quotes."""
    return _SPACE.sub(" ", as_data(text)).replace('"', "'")
