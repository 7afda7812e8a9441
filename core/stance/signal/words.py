"""How a text is split into the forms that lexicons compare: normalised words in Japanese, light stems in English."""

import re
from collections.abc import Sequence
from typing import Protocol

_JAPANESE = re.compile(r"[々-〇ぁ-ゟァ-ヺー-ヿ㐀-䶿一-鿿]+")
_LATIN = re.compile(r"[a-zà-öø-ÿ]+(?:'[a-z]+)?(?:&[a-z])?")
_ENDING = re.compile(r"(?:'s|ing|es|ed|s)\Z")


class Analyser(Protocol):
    """Splits Japanese into words (`core.analysis.japanese.JapaneseAnalyser`)."""

    def normalised_forms(self, text: str) -> Sequence[str]:
        """Return for each word of a text, in long units, the form that all spellings and inflections share."""


def has_japanese(text: str) -> bool:
    """Return whether there is kana or kanji in the text."""
    return _JAPANESE.search(text) is not None


def latin_words(text: str) -> list[str]:
    """Return the words in Latin script, as they stand."""
    return _LATIN.findall(text)


def english_forms(text: str) -> list[str]:
    """Return the words of a canonical text without their regular endings."""
    return [stem(word) for word in latin_words(text)]


def stem(word: str) -> str:
    """Return a word without a regular ending; short words stay as they are."""
    if len(word) < 5:
        return word
    bare = _ENDING.sub("", word)
    return bare.removesuffix("e") if len(bare) >= 3 else word


def japanese_forms(text: str, analyser: Analyser) -> list[str]:
    """Return the normalised words of the Japanese in a canonical text, in long units; each run is analysed once."""
    return [form.lower() for form in analyser.normalised_forms(text)]
