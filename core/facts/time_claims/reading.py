"""A text made ready: folded once, what is quoted blanked out, cut into sentences."""

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import islice

from core.facts.time_claims.folding import Folded, fold
from core.facts.time_claims.spellings import unified

_BLANK = "\ufffc"
_OWN_WORDS = 4
# Words farther off than this say nothing about a claim, and looking at all of a long sentence for each would be slow.
_REACH = 100
# What others said or wrote, and what is no prose: quotations, titles, quoted lines, code, links.
_QUOTED = re.compile(
    r"「[^「」\n]*」|『[^『』\n]*』|“[^“”\n]*”|\"[^\"\n]*\"|《[^《》\n]*》|(?:^|(?<=\n))>[^\n]*|`[^`\n]+`|https?://\S+"
)
_QUOTE_MARK = re.compile('[「『“"《>`]')
# It begins with one class of characters, which keeps the search quick.
_SENTENCE_END = re.compile(r"[。!?\n….・](?:(?<=[。!?\n…])[。!?\n…]*|(?<=\.)(?:\.+|(?=\s|$)(?<![ap]\.m\.))|(?<=・)・+)")
_WORD = re.compile(r"[^\W_\ufffc]")


@dataclass(frozen=True, slots=True)
class Reading:
    """A text made ready. `text` is as long as the folded text; quoted stretches are blank.

    A sentence begins at each of `starts` and its closing signs at the `stops` of the same index. A position within
    closing signs belongs to the sentence that they close.
    """

    folded: Folded
    text: str
    starts: list[int]
    stops: list[int]

    def sentence_at(self, position: int) -> int:
        """Return the index of the sentence that a position is in."""
        return bisect_right(self.starts, position) - 1

    def before(self, position: int) -> str:
        """Return what stands before a position in its sentence, as far back as anything may bear on it."""
        return self.text[max(self.starts[self.sentence_at(position)], position - _REACH) : position]

    def after(self, position: int, sentence: int) -> str:
        """Return what stands after a position in a sentence, as far ahead as anything may bear on it."""
        return self.text[position : min(self.stops[sentence], position + _REACH)]

    def asks(self, sentence: int) -> bool:
        """Return whether a question mark closes a sentence."""
        stop = self.stops[sentence]
        following = self.starts[sentence + 1] if sentence + 1 < len(self.starts) else stop
        return "?" in self.text[stop:following]


def read(text: str) -> Reading:
    """Make a text ready for finding claims."""
    folded = unified(fold(text))
    own = _blank_quotes(folded.text)
    starts, stops = [0], []
    for stop in _SENTENCE_END.finditer(own):
        begin, end = stop.span()
        stops.append(begin)
        starts.append(end)
    stops.append(len(own))
    return Reading(folded, own, starts, stops)


def _blank_quotes(text: str) -> str:
    """Blank out quotations, unless nearly everything is one: then it is the speaker's own line in quotes."""
    if not _QUOTE_MARK.search(text) and "://" not in text:
        return text
    own = _QUOTED.sub(lambda match: _BLANK * len(match.group()), text)
    words = sum(1 for _ in islice(_WORD.finditer(own), _OWN_WORDS))
    return own if words == _OWN_WORDS else text
