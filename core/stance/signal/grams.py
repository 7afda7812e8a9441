"""The smallest pieces of a turn that the layer knows: pairs and triples of characters in Japanese, words in English.

Beside them, the same the other way about: normalised words in Japanese, parts of words in English.

Endings, particles and turns of phrase say how something is told where no group of the lexicons can name it.
"""

import re
from itertools import pairwise

from core.stance.signal.reading import Reading
from core.values import Locale

_PIECE = re.compile(r"[a-z]+(?:'[a-z]+)?|[0-9]+|[?,\"()-]")
_WORD = re.compile(r"[a-z']+")
_PARTS = (3, 4, 5)
"""Characters of a part of an English word, its edges among them."""
_FORM = "F"
"""Before a form, so that it is never taken for a gram: there are no capitals in a canonical text."""
_START, _END = "^", "$"


def grams(reading: Reading) -> set[str]:
    """Return the pieces of a turn, each once. A text with Japanese in it is taken as Japanese."""
    if Locale.JA in reading.locales:
        framed = f"{_START}{reading.text}{_END}"
        return {framed[at : at + 2] for at in range(len(framed) - 1)} | {
            framed[at : at + 3] for at in range(len(framed) - 2)
        }
    words = [_START, *_PIECE.findall(reading.text), _END]
    return {*words, *map(" ".join, pairwise(words))}


def forms(reading: Reading) -> set[str]:
    """Return normalised words and pairs of them in Japanese, parts of words in English, each once; none is a gram."""
    japanese = reading.forms.get(Locale.JA)
    if japanese is not None:
        framed = [_START, *japanese, _END]
        return {f"{_FORM}{word}" for word in framed} | {f"{_FORM}{' '.join(pair)}" for pair in pairwise(framed)}
    return {part for word in words(reading) for part in parts(word)}


def words(reading: Reading) -> list[str]:
    """Return the words of an English turn, as often as they stand in it."""
    return _WORD.findall(reading.text)


def parts(word: str) -> list[str]:
    """Return the parts of an English word, which make up `forms`; some may be there twice."""
    whole = f"<{word}>"
    return [_FORM + whole[at : at + length] for length in _PARTS for at in range(len(whole) - length + 1)]
