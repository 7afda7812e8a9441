"""A text as the rules read it: in one spelling, without what others said, cut into sentences.

Compatibility forms (full width, half-width kana), letter case and curly apostrophes are folded, and what takes no room
is left out; the way back to where something stood is kept.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

_CLUSTER = re.compile(r".[\u0300-\u036f\u3099\u309a\uff9e\uff9f]*", re.DOTALL)
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff]")
_APOSTROPHES = str.maketrans("’‘`", "'''")
_BLANK = "\ufffc"
_QUOTED = re.compile(r"「[^「」\n]*」|『[^『』\n]*』|“[^“”\n]*”|\"[^\"\n]*\"|《[^《》\n]*》|https?://\S+")
_WORD = re.compile(r"[^\W_\ufffc]")
_OWN_WORDS = 4
_SENTENCE = re.compile(r"(?:[^。!?\n….]|\.(?!\s|$|\.)|(?<=[ap]\.m)\.)+(?P<end>[。!?\n….]*)")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with the signs that close it. `origins`: where each character stood in the text, from and to."""

    text: str
    origins: tuple[tuple[int, int], ...]
    asks: bool

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return where `text[start:end]` (not empty) stood in the text as it was given."""
        return self.origins[start][0], self.origins[end - 1][1]


def sentences(text: str) -> Iterator[Sentence]:
    """Yield the sentences of a text, quotations blanked out."""
    folded, origins = _fold(text)
    own = _blank_quotes(folded)
    for match in _SENTENCE.finditer(own):
        part = match.group().strip()
        if part:
            start = match.start() + match.group().index(part)
            yield Sentence(part, tuple(origins[start : start + len(part)]), "?" in match["end"])


def _fold(text: str) -> tuple[str, list[tuple[int, int]]]:
    pieces: list[str] = []
    origins: list[tuple[int, int]] = []
    for match in _CLUSTER.finditer(text):
        piece = unicodedata.normalize("NFKC", _INVISIBLE.sub("", match.group())).lower().translate(_APOSTROPHES)
        pieces.append(piece)
        origins += [match.span()] * len(piece)
    return "".join(pieces), origins


def _blank_quotes(text: str) -> str:
    """Blank out quotations, unless nearly everything is one: then it is the speaker's own line in quotes."""
    own = _QUOTED.sub(lambda match: _BLANK * len(match.group()), text)
    return own if len(_WORD.findall(own)) >= _OWN_WORDS else text
