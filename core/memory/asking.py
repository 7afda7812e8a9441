"""Finds where somebody asks in so many words that something be remembered, in Japanese and English.

Nothing is guessed from what people say of themselves: without such words there is nothing to find. What is kept is what
they wrote, cut out of the message as it stands.
"""

import re
from functools import lru_cache

from core.memory.asking_en import wish_in_english
from core.memory.asking_ja import wish_in_japanese

LONGEST_FACT = 200
_SHORTEST = 3  # characters: 「車は青」


def asked_to_keep(text: str) -> str | None:
    """Return what a message asks to have remembered, on one line; None where it asks for nothing that can be kept.

    >>> asked_to_keep("Please remember that I have two cats.")
    'I have two cats'
    >>> asked_to_keep("猫が2匹いるの、覚えておいてね")
    '猫が2匹いる'
    >>> asked_to_keep("Do you remember my cats?") is None
    True
    """
    line = _wish(text)
    return line if line is not None and _SHORTEST <= len(line) <= LONGEST_FACT else None


def asks_too_much(text: str) -> bool:
    """Return whether a message asks to have something remembered that is longer than what can be kept."""
    line = _wish(text)
    return line is not None and len(line) > LONGEST_FACT


@lru_cache(maxsize=4)  # a turn asks twice
def _wish(text: str) -> str | None:
    line = _LINES.sub("\n", _BLANKS.sub(" ", text))
    wish = wish_in_japanese(line) or wish_in_english(line)
    return None if wish is None else " ".join(wish.split())


_BLANKS = re.compile(r"[^\S\n]+")
_LINES = re.compile(r"\n\s*")
