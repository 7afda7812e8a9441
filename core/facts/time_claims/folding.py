"""Folding: one spelling for many, with the way back to where it stood.

Compatibility forms (NFKC: full width, half-width kana, decomposed marks), letter case, curly apostrophes, characters
that take no room, and drawn-out sounds ("おはよーー", "mooorning") are folded. What folds to one text makes one claim.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass

_INVISIBLE = "\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff"
_MARKS = "\u0300-\u036f\u3099\u309a\uff9e\uff9f"
# Code points that NFKC leaves alone, unless a mark follows (ASCII, kana, common kanji, signs, emoji), and the ellipsis.
_STABLE = (
    "\u0000-\u007f\u2014\u2018-\u201d\u2026\u2190-\u21ff\u2500-\u27bf\u3001-\u3020\u3041-\u3096\u309d\u309e\u30a1-\u30fe"
    "\u4e00-\u9fff\U0001f300-\U0001faff"
)
_UNSTABLE = re.compile(f"[^{_STABLE}]")
_CLUSTER = re.compile(f"[{_INVISIBLE}]+|[{_STABLE}]?[{_MARKS}]+|[^{_STABLE}{_INVISIBLE}][{_MARKS}]*")
_GONE = re.compile(f"[{_INVISIBLE}]")
# A wave after kana draws the sound out; between numbers it is a range and stays.
_DRAWN_OUT = re.compile(
    r"(?<=[\u3041-\u3096\u30a1-\u30fe])(?:[\u301c~][\u301c~ー]*|ー[\u301c~ー]+)"
    r"|([あいうえおやよなねわらまかだたはっぁぃぅぇぉ])\1{2,}|っ{2,}|([aeiou])\2{2,}|([mnghysrzwtlpk])\3{2,}"
)
# What one of those holds, in looks that are quick: a triple letter, a wave or a long sound.
_DRAWN_LETTERS = tuple(sound * 3 for sound in "aeioumnghysrzwtlpk")
_DRAWN_KANA = (
    *(sound * 3 for sound in "あいうえおやよなねわらまかだたはぁぃぅぇぉ"), "っっ", "ーー", "\u301c", "~",
)  # fmt: skip
_CASED = re.compile("[A-Z’‘`\uff01-\uff64\u3000]+")


def _one_to_one() -> dict[int, str]:
    """Return the foldings that keep the length of a text: letter case, apostrophes, full-width signs and letters."""
    table = {code: chr(code).lower() for code in range(ord("A"), ord("Z") + 1)}
    table |= {ord(mark): "'" for mark in "’‘`"}
    full_width = (code for code in range(0xFF01, 0xFF65) if len(unicodedata.normalize("NFKC", chr(code))) == 1)
    table |= {code: unicodedata.normalize("NFKC", chr(code)).lower() for code in full_width}
    return table | {0x3000: " "}


_TABLE = _one_to_one()


@dataclass(frozen=True, slots=True)
class _Step:
    """Replacements of one step: where each began and ended after it and before it."""

    pieces: tuple[tuple[int, ...], ...]

    def before(self, position: int, *, is_end: bool) -> int:
        """Return where a position (a start, or an end) stood before the step."""
        at = bisect_right(self.pieces, (position - is_end + 1,)) - 1
        if at < 0:
            return position
        new_start, new_end, old_start, old_end = self.pieces[at]
        if new_start <= position - is_end < new_end:
            return old_end if is_end else old_start
        return old_end + position - new_end


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text and the steps that led to it."""

    text: str
    steps: tuple[_Step, ...] = ()

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return where `text[start:end]` (not empty) stood in the original."""
        for step in reversed(self.steps):
            start, end = step.before(start, is_end=False), step.before(end, is_end=True)
        return start, end


def fold(text: str) -> Folded:
    """Fold a text. Folding what is folded changes nothing."""
    folded = Folded(_same_length(text))
    if not text.isascii() and _UNSTABLE.search(folded.text):
        folded = replaced(folded, _GONE, lambda match: "")
        folded = replaced(folded, _CLUSTER, lambda match: unicodedata.normalize("NFKC", match.group()))
        folded = Folded(_same_length(folded.text), folded.steps)
    if _is_drawn_out(folded.text):
        folded = replaced(folded, _DRAWN_OUT, _shorten)
    return folded


def _same_length(text: str) -> str:
    """Fold what keeps the length; translating all of a text that is not ASCII takes long."""
    return text.translate(_TABLE) if text.isascii() else _CASED.sub(_translated, text)


def _translated(match: re.Match[str]) -> str:
    return match.group().translate(_TABLE)


def _is_drawn_out(text: str) -> bool:
    if not text.isascii() and any(sound in text for sound in _DRAWN_KANA):
        return True
    return "~" in text or any(sound in text for sound in _DRAWN_LETTERS)


def _shorten(match: re.Match[str]) -> str:
    sound = match.group()[0]
    if sound in "〜~ー":
        return "ー"
    return sound * 2 if match.group(2) else sound


def replaced(folded: Folded, pattern: re.Pattern[str], new: Callable[[re.Match[str]], str]) -> Folded:
    """Replace matches; every character of a replacement stands for the whole of what it replaces."""
    kept: list[str] = []
    pieces: list[tuple[int, ...]] = []
    done = length = 0
    for match in pattern.finditer(folded.text):
        begin, end = match.span()
        piece = new(match)
        kept += (folded.text[done:begin], piece)
        length += begin - done
        pieces.append((length, length + len(piece), begin, end))
        length += len(piece)
        done = end
    if not pieces:
        return folded
    kept.append(folded.text[done:])
    return Folded("".join(kept), (*folded.steps, _Step(tuple(pieces))))
