"""A text made ready: folded once, what is quoted blanked out, cut into sentences."""

import re
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from core.facts.time_claims.folding import Folded, fold
from core.facts.time_claims.spellings import unified

_BLANK = "\ufffc"
_OWN_WORDS = 4
# Words farther off than this say nothing about a claim, and looking at all of a long sentence for each would be slow.
_REACH = 100
# What others said or wrote, and what is no prose: quotations, titles, quoted lines, code, links.
_QUOTED = re.compile(
    r"「[^「」\n]*」|『[^『』\n]*』|“[^“”\n]*”|\"[^\"\n]*\"|《[^《》\n]*》|(?:^|(?<=\n))>[^\n]*|'''\w*|`[^`\n]+`|https?://\S+"
)
# Three backquotes, folded.
_FENCE = "'''"
_QUOTE_MARK = re.compile('[「『“"《>`]')
# It begins with one class of characters, which keeps the search quick.
_SENTENCE_END = re.compile(r"[。!?\n….・](?:(?<=[。!?\n…])[。!?\n…]*|(?<=\.)(?:\.+|(?=\s|$)(?<![ap]\.m\.))|(?<=・)・+)")
_JAPANESE = re.compile("[\u3041-\u30ff\u4e00-\u9fff]")
_WORD = re.compile(r"[^\W_\ufffc]")


class Sentence(NamedTuple):
    """One sentence with the signs that close it (from `stop` on), folded, quoted stretches blank.

    `alone` tells whether its numbers may be English even if it has no letters: nothing in the text is Japanese.
    """

    text: str
    stop: int
    alone: bool

    def before(self, position: int) -> str:
        """Return what stands before a position, as far back as anything may bear on it."""
        return self.text[max(0, position - _REACH) : position]

    def after(self, position: int) -> str:
        """Return what stands after a position, as far ahead as anything may bear on it."""
        return self.text[position : min(self.stop, position + _REACH)]

    def asks(self) -> bool:
        """Return whether a question mark closes the sentence."""
        return "?" in self.text[self.stop :]


@dataclass(frozen=True, slots=True)
class Reading:
    """A text made ready: its sentences, and where each begins in the folded text."""

    folded: Folded
    sentences: list[Sentence]
    offsets: list[int]


def read(text: str) -> Reading:
    """Make a text ready for finding claims."""
    folded = unified(fold(text))
    own = _blank_quotes(folded.text)
    alone = own.isascii() or not _JAPANESE.search(own)
    sentences, offsets = list[Sentence](), list[int]()
    start = 0
    for closing in _SENTENCE_END.finditer(own):
        stop, end = closing.span()
        if start < stop:
            sentences.append(Sentence(own[start:end], stop - start, alone))
            offsets.append(start)
        start = end
    if start < len(own):
        sentences.append(Sentence(own[start:], len(own) - start, alone))
        offsets.append(start)
    return Reading(folded, sentences, offsets)


def _blank_quotes(text: str) -> str:
    """Blank out quotations, unless nearly everything is one: then it is the speaker's own line in quotes."""
    if not _QUOTE_MARK.search(text) and "://" not in text and _FENCE not in text:
        return text
    own = _QUOTED.sub(lambda match: _BLANK * len(match.group()), text)
    words = sum(1 for _ in islice(_WORD.finditer(own), _OWN_WORDS))
    return own if words == _OWN_WORDS else text
