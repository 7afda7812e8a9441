"""Finds where somebody asks in so many words that something be remembered, in Japanese and English.

Nothing is guessed from what people say of themselves: without such words there is nothing to find. What is kept is what
they wrote, cut out of the message as it stands.
"""

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
    wish = wish_in_japanese(text) or wish_in_english(text)
    if wish is None:
        return None
    line = " ".join(wish.split())
    return line if _SHORTEST <= len(line) <= LONGEST_FACT else None
