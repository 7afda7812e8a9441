"""The literal search: which of the messages that share words with a question can be what it is about.

A message is judged by how much of what the question tells it holds: rare words count more than common ones, the words
of a compound together, a word in another spelling less. Where a certain kind of answer is wanted (a time, a price, a
name), a message that holds none of that kind hardly counts. The more messages there are, the more of them hold a few
words by chance, so the more is asked for; and where several hold equally much, none is a find. Then meaning decides.

A find is sure where the message holds nearly all of the question, and what can only be the kind of answer wanted. Short
of that, and where no pattern can tell the answer (where, why, what), it may be near the matter and yet not hold it,
which only somebody who reads both can tell.
"""

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field

from core.recall.answers import can_answer, holds_unit, surely_answers
from core.recall.words import SoughtWord

_ENOUGH = 0.46
_SMALL = 100
_LARGE = 1000
_MORE_FOR_TENFOLD = 0.17
_AT_MOST = 0.8
_SURE = 0.85
_SURE_AMONG_MANY = 0.95
_RANKED_WITH_THE_BEST = 0.85
_OTHER_SPELLING = 0.7
_COMMONEST = 0.1
_WITH_AN_ANSWER = 0.6
_ANSWER_TO_SOMETHING_ELSE = 0.85
_WITHOUT_AN_ANSWER = 0.45
_WITHOUT_AN_ANSWER_IN_MANY_WORDS = 0.6
_MANY_WORDS = 2.5
_SAID_BY_THE_CHARACTER = 0.9
_ITSELF_A_QUESTION = 0.6
_FEW = 5

MOST_FINDS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A message that holds some of the sought terms. `order` grows with time; `asks`: it is a recall question, too.

    `otherwise`: terms it holds in a spelling that the index doesn't know, and how much each counts, from 0 to 1.
    """

    order: int
    text: str
    terms: Set[str]
    otherwise: Mapping[str, float] = field(default_factory=dict)
    is_self: bool = False
    asks: bool = False


@dataclass(frozen=True, slots=True)
class Scored:
    """A hit and how much of the question it holds, from 0 to about 1.

    `enough`: it can be what is asked for; `sure`: and nobody needs to look whether it is.
    """

    hit: Hit
    score: float
    enough: bool
    sure: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """What a question looks for, and how common each term is in the conversation of `size` messages.

    `kinds` of answer are wanted; so are `doubtful` ones, which can't be told well enough to rule a message out. `unit`:
    what is counted by. `is_open`: no pattern tells what is wanted, so no find is sure.
    """

    words: Sequence[SoughtWord]
    kinds: Sequence[str]
    doubtful: Sequence[str] = ()
    unit: str = ""
    is_open: bool = False
    frequencies: Mapping[str, int]
    size: int

    def ranked(self, hits: Sequence[Hit]) -> list[Scored]:
        """Return the hits, best first; of equals the newest."""
        counted = [word for word in self.words if not word.perhaps or self._frequency(word)]
        scored = [self._scored(hit, counted) for hit in hits]
        return sorted(scored, key=lambda found: (not found.enough, -round(found.score, 6), -found.hit.order))

    def _scored(self, hit: Hit, counted: Sequence[SoughtWord]) -> Scored:
        shares = [(word, _share(word, hit)) for word in counted]
        telling = sum(word.weight for word, share in shares if share and word.telling)
        score = self._score(hit, shares, telling)
        whatever_the_spelling = [(word, 1.0 if share >= _OTHER_SPELLING else share) for word, share in shares]
        can_be_it = (telling > 0 and not self._too_bare(counted)) or self._vague_but_rare(counted)
        enough = can_be_it and score >= _enough(self.size)
        most = _SURE if self.size <= _LARGE else _SURE_AMONG_MANY
        nearly_all = self._score(hit, whatever_the_spelling, telling) >= most
        sure = enough and nearly_all and self._answers(hit.text) and not self.is_open and not self.doubtful
        return Scored(hit, score, enough, sure)

    def _score(self, hit: Hit, shares: Sequence[tuple[SoughtWord, float]], telling: float) -> float:
        held = sum(self._weight(word) * share for word, share in shares)
        whole = sum(self._weight(word) for word, _ in shares) or 1.0
        score = self._with_answer(hit, held, whole, telling)
        if hit.is_self:
            score *= _SAID_BY_THE_CHARACTER
        return score * _ITSELF_A_QUESTION if hit.asks else score

    def _answers(self, text: str) -> bool:
        if self.unit and not holds_unit(text, self.unit):
            return False
        return all(not kinds or surely_answers(text, kinds) for kinds in (self.kinds, self.doubtful))

    def _with_answer(self, hit: Hit, held: float, whole: float, telling: float) -> float:
        if not self.kinds or not held:
            return held / whole
        if not can_answer(hit.text, self.kinds):
            many = telling >= _MANY_WORDS
            return held / whole * (_WITHOUT_AN_ANSWER_IN_MANY_WORDS if many else _WITHOUT_AN_ANSWER)
        if held <= whole / 2:
            return held / whole * _ANSWER_TO_SOMETHING_ELSE
        return (held + _WITH_AN_ANSWER) / (whole + _WITH_AN_ANSWER)

    def _too_bare(self, counted: Sequence[SoughtWord]) -> bool:
        """Whether one word is all a question tells, and so many messages are there that it stands in some by chance."""
        return self.size > _LARGE and sum(word.weight > 0 for word in counted if not word.perhaps) <= 1

    def _vague_but_rare(self, counted: Sequence[SoughtWord]) -> bool:
        """Whether a question has no telling word, and the words it has are hardly ever said here."""
        vague = not any(word.telling for word in counted)
        return vague and sum(self._frequency(word) for word in counted) <= _FEW

    def _weight(self, word: SoughtWord) -> float:
        """Return what a word counts: less the more messages it stands in."""
        frequency = self._frequency(word)
        if not frequency or self.size <= 1:
            return word.weight
        rarity = math.log((self.size + 1) / (frequency + 0.5)) / math.log(self.size + 1)
        return word.weight * max(_COMMONEST, min(1.0, rarity))

    def _frequency(self, word: SoughtWord) -> int:
        return max(self.frequencies.get(term, 0) for term in word.terms)


def finds(ranked: Sequence[Scored]) -> list[Scored]:
    """Return what is a find: the best, and what holds nearly as much; nothing if that is too many to tell apart."""
    good = [found for found in ranked if found.enough]
    best = [found for found in good if found.score >= good[0].score * _RANKED_WITH_THE_BEST]
    return best if len(best) <= MOST_FINDS else []


def _enough(size: int) -> float:
    """Return how much of a question a message has to hold in a conversation of so many messages."""
    return min(_AT_MOST, _ENOUGH + _MORE_FOR_TENFOLD * math.log10(max(size, _SMALL) / _SMALL))


def _share(word: SoughtWord, hit: Hit) -> float:
    if word.term in hit.terms:
        return 1.0
    return _OTHER_SPELLING if word.sound in hit.terms else hit.otherwise.get(word.term, 0.0)
