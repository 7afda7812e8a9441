"""The pieces of a text that the layer knows, hashed: short runs of characters in Japanese, of words in English."""

import re
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

WIDTH = 4096
"""How many numbers a text becomes."""

_JAPANESE = re.compile("[ぁ-んァ-ヶ一-龥]")
_NUMBER = re.compile(r"[0-9]+")
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|[0-9]+|[?!,.…\"]")
_RUNS = {"characters": (1, 2, 3, 4), "words": (1, 2, 3)}
_LONG, _STEM, _ENDING = 5, 4, 3
"""Letters: words this long are also known by their first and their last letters."""


def pieces(folded: str) -> NDArray[np.float32]:
    """Return how a folded text is made up, `WIDTH` numbers of length 1. Numbers are alike, whatever they are."""
    found = np.zeros(WIDTH, dtype=np.float32)
    for piece in _pieces(_NUMBER.sub("0", folded)):
        found[crc32(piece.encode()) % WIDTH] += 1
    return found / np.float32(max(float(np.linalg.norm(found)), 1e-6))


def _pieces(text: str) -> set[str]:
    if _JAPANESE.search(text):
        framed = f"^{text}$"
        return {framed[at : at + run] for run in _RUNS["characters"] for at in range(len(framed) - run + 1)}
    words = ["^", *_WORD.findall(text), "$"]
    runs = {" ".join(words[at : at + run]) for run in _RUNS["words"] for at in range(len(words) - run + 1)}
    long = [word for word in words if len(word) >= _LONG]
    return runs | {f"{word[:_STEM]}-" for word in long} | {f"-{word[-_ENDING:]}" for word in long}
