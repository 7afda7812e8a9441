"""The smallest pieces of a turn that the layer knows: pairs and triples of characters in Japanese, words in English.

Endings, particles and turns of phrase say how something is told where no group of the lexicons can name it.
"""

import re
from itertools import pairwise

from core.stance.signal.reading import Reading
from core.values import Locale

_PIECE = re.compile(r"[a-z]+(?:'[a-z]+)?|[0-9]+|[?,\"()-]")
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
