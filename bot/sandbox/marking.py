"""What differs between two texts, and what in a text was found fault with: pieces for the page to mark."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

from core.turn.checks.base import Finding

_WORDS = re.compile(r"\n|[^\S\n]+|[A-Za-z0-9_'’]+|[぀-ヿ]+|[一-鿿々]+|.")
_ALIKE = 0.5


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a text. `kind`: same, added (the other text has it not), missing (only the other text has it)."""

    kind: str
    text: str


def differences(base: str, text: str) -> list[Piece]:
    """Return a text in pieces, with what it has and `base` has not, and the other way round.

    Lines that are alike are told apart word by word, others as a whole: words that two texts share by chance only
    make the difference hard to read.
    """
    old, new = _lines(base), _lines(text)
    pieces: list[Piece] = []
    for kind, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        before, after = "".join(old[i1:i2]), "".join(new[j1:j2])
        if kind == "equal":
            pieces.append(Piece("same", after))
        elif kind == "replace" and _alike(before, after):
            pieces += _by_words(before, after)
        else:
            pieces += [Piece("missing", before)] * bool(before) + [Piece("added", after)] * bool(after)
    return _without_last_end(pieces)


def _lines(text: str) -> list[str]:
    # The last line ends like all others, or it would differ from the same one in the middle of the other text.
    return f"{text}\n".splitlines(keepends=True) if text else []


def _without_last_end(pieces: list[Piece]) -> list[Piece]:
    last = len(pieces) - (2 if [piece.kind for piece in pieces[-2:]] == ["missing", "added"] else 1)
    ends = [Piece(piece.kind, piece.text.removesuffix("\n")) for piece in pieces[last:]] if pieces else []
    return pieces[: max(last, 0)] + [piece for piece in ends if piece.text]


def _alike(before: str, after: str) -> bool:
    old, new = ([word for word in _WORDS.findall(text) if not word.isspace()] for text in (before, after))
    return SequenceMatcher(None, old, new, autojunk=False).ratio() >= _ALIKE


def _by_words(before: str, after: str) -> list[Piece]:
    old, new = _WORDS.findall(before), _WORDS.findall(after)
    pieces: list[Piece] = []
    for kind, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            pieces.append(Piece("same", "".join(new[j1:j2])))
            continue
        if i1 < i2:
            pieces.append(Piece("missing", "".join(old[i1:i2])))
        if j1 < j2:
            pieces.append(Piece("added", "".join(new[j1:j2])))
    return pieces


@dataclass(frozen=True, slots=True)
class Marked:
    """A stretch of an answer, with the rules that it breaks."""

    text: str
    rules: tuple[str, ...]


def marked(text: str, findings: Sequence[Finding]) -> Iterator[Marked]:
    """Yield an answer in stretches, each with what was found there."""
    edges = sorted({0, len(text), *(min(max(edge, 0), len(text)) for f in findings for edge in (f.start, f.end))})
    for start, end in pairwise(edges):
        rules = tuple(dict.fromkeys(f.rule for f in findings if f.start < end and f.end > start))
        yield Marked(text[start:end], rules)
