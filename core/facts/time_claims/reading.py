"""A text made ready: folded once, what is quoted blanked out, cut into sentences."""

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import islice

from core.facts.time_claims.folding import Folded, fold

_BLANK = "\ufffc"
_OWN_WORDS = 4
# Words farther off than this say nothing about a claim, and looking at all of a long sentence for each would be slow.
_REACH = 100
# What others said or wrote, and what is no prose: quotations, titles, quoted lines, code, links.
_QUOTED = re.compile(
    r"「[^「」\n]*」|『[^『』\n]*』|“[^“”\n]*”|\"[^\"\n]*\"|《[^《》\n]*》|(?:^|(?<=\n))>[^\n]*|`[^`\n]+`|https?://\S+"
)
_QUOTE_MARKS = frozenset('「『“"《>`')
# Every alternative starts with a character of its own, which keeps the search quick.
_SENTENCE_END = re.compile(r"[。!?\n…]+|\.(?:\.+|(?=\s|$)(?<![ap]\.m\.))|・・+")
_WORD = re.compile(r"[^\W_\ufffc]")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the folded text; `end` is where its closing signs begin, `asks` whether one is a question mark."""

    start: int
    end: int
    asks: bool


@dataclass(frozen=True, slots=True)
class Reading:
    """A text made ready. `text` is as long as the folded text; quoted stretches are blank."""

    folded: Folded
    text: str
    sentences: tuple[Sentence, ...]

    def sentence_at(self, position: int) -> Sentence:
        """Return the sentence a position is in, or the one before it if it is between two."""
        at = bisect_right(self.sentences, position, key=_start) - 1
        return self.sentences[at] if at >= 0 else Sentence(0, len(self.text), asks=False)

    def before(self, position: int, sentence: Sentence) -> str:
        """Return what stands before a position in a sentence, as far back as anything may bear on it."""
        return self.text[max(sentence.start, position - _REACH) : position]

    def after(self, position: int, sentence: Sentence) -> str:
        """Return what stands after a position in a sentence, as far ahead as anything may bear on it."""
        return self.text[position : min(sentence.end, position + _REACH)]


def read(text: str) -> Reading:
    """Make a text ready for finding claims."""
    folded = fold(text)
    own = _blank_quotes(folded.text)
    return Reading(folded, own, tuple(_sentences(own)))


def _start(sentence: Sentence) -> int:
    return sentence.start


def _blank_quotes(text: str) -> str:
    """Blank out quotations, unless nearly everything is one: then it is the speaker's own line in quotes."""
    if _QUOTE_MARKS.isdisjoint(text) and "://" not in text:
        return text
    own = _QUOTED.sub(lambda match: _BLANK * len(match.group()), text)
    words = sum(1 for _ in islice(_WORD.finditer(own), _OWN_WORDS))
    return own if words == _OWN_WORDS else text


def _sentences(text: str) -> list[Sentence]:
    found = []
    start = 0
    for stop in _SENTENCE_END.finditer(text):
        found.append(Sentence(start, stop.start(), "?" in stop.group()))
        start = stop.end()
    if start < len(text):
        found.append(Sentence(start, len(text), asks=False))
    return found
