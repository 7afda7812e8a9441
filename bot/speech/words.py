"""What the program says to its operator, in the operator's language.

Everything is said in English: errors come from every layer and go into logs and JSON as well, which stay English. What
reaches a terminal is put into Japanese at that door.
"""

from functools import cache
from typing import Protocol

from bot.speech.language import operator_language
from core.values import Locale


class Words(Protocol):
    """Texts in one language."""

    def __call__(self, text: str) -> str:
        """Return a text in this language, as far as it is known; the rest stays English."""

    def label(self, word: str) -> str:
        """Return a word of a table's head, of a list or of a state; itself where it is somebody's name."""


class English:
    """`Words` for which nothing has to be read: what the program says is English."""

    def __call__(self, text: str) -> str:
        """Return the text."""
        return text

    def label(self, word: str) -> str:
        """Return the word."""
        return word


def words() -> Words:
    """Return the texts in the operator's language."""
    return words_in(operator_language())


@cache
def words_in(language: Locale) -> Words:
    """Return the texts in a language."""
    if language is not Locale.JA:
        return English()
    from bot.speech.japanese import Japanese  # noqa: PLC0415 - every start comes by here

    return Japanese.load()
