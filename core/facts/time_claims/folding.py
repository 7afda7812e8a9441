"""Folding: one spelling for many, with the way back to where it stood.

Compatibility forms (NFKC: full width, half-width kana, decomposed marks), letter case, curly apostrophes, characters
that take no room, and drawn-out sounds ("おはよーーー", "mooorning") are folded. What folds to one text makes one claim.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

_INVISIBLE = "\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff"
_MARKS = "\u0300-\u036f\u3099\u309a\uff9e\uff9f"
# Code points that NFKC leaves alone, unless a mark follows: ASCII, kana, common kanji, a few signs.
_STABLE = "\u0000-\u007f\u2018-\u201d\u3001-\u3020\u3041-\u3096\u309d\u309e\u30a1-\u30fe\u4e00-\u9fff"
_UNSTABLE = re.compile(f"[{_STABLE}](?=[{_MARKS}])[{_MARKS}]+|[^{_STABLE}][{_MARKS}]*")
_GONE = re.compile(f"[{_INVISIBLE}]+")
# A wave after kana draws the sound out; between numbers it is a range and stays.
_DRAWN_OUT = re.compile(
    r"(?<=[\u3041-\u3096\u30a1-\u30fe])(?:[\u301c~][\u301c~ー]*|ー[\u301c~ー]+)|([\u3041-\u3096])\1{2,}|っ{2,}|([aeiou])\2{2,}|([b-df-hj-np-tv-z])\3{2,}"
)
_LETTERS = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ’‘`", "abcdefghijklmnopqrstuvwxyz'''")


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text; `starts[i]` and `ends[i]` bound the original of its character `i`."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return where `text[start:end]` (not empty) stood in the original."""
        return self.starts[start], self.ends[end - 1]


def fold(text: str) -> Folded:
    """Fold a text. Folding what is folded changes nothing."""
    folded = Folded(text, range(len(text)), range(1, len(text) + 1))
    if not text.isascii():
        folded = _replace(folded, _GONE, lambda match: "")
        folded = _replace(folded, _UNSTABLE, lambda match: unicodedata.normalize("NFKC", match.group()))
    lowered = Folded(folded.text.translate(_LETTERS), folded.starts, folded.ends)
    return _replace(lowered, _DRAWN_OUT, _shorten)


def _shorten(match: re.Match[str]) -> str:
    sound = match.group()[0]
    if sound in "〜~ー":
        return "ー"
    return sound * 2 if match.group(2) else sound


def _replace(folded: Folded, pattern: re.Pattern[str], new: Callable[[re.Match[str]], str]) -> Folded:
    """Replace matches; every character of a replacement stands for the whole of what it replaces."""
    matches = list(pattern.finditer(folded.text))
    if not matches:
        return folded
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    done = 0
    for match in matches:
        begin, end = match.span()
        piece = new(match)
        pieces += (folded.text[done:begin], piece)
        starts += folded.starts[done:begin]
        ends += folded.ends[done:begin]
        starts += [folded.starts[begin]] * len(piece)
        ends += [folded.ends[end - 1]] * len(piece)
        done = end
    pieces.append(folded.text[done:])
    starts += folded.starts[done:]
    ends += folded.ends[done:]
    return Folded("".join(pieces), starts, ends)
