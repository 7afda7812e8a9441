"""The predicates, as others call them.

A reply that is streamed is judged again with each sentence that is added. What was found in a sentence is kept for a
while, in memory only, so that each is looked at once.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from threading import Lock
from typing import Generic, TypeVar

from core.facts.time_claims.activity import activity_claims, activity_rules
from core.facts.time_claims.explicit import explicit_claims
from core.facts.time_claims.learned.opinion import opinions
from core.facts.time_claims.reading import Reading, Sentence, read
from core.facts.time_claims.rules import LOCALES, explicit_rules
from core.facts.time_claims.types import ActivityClaim, Claims, TimeClaim

_KEPT = 1024
# A text of this length takes a millisecond or so, or some tens of them if it is a list of times.
_AT_ONCE = 400
Claim = TypeVar("Claim", TimeClaim, ActivityClaim)


class Kept(Generic[Claim]):
    """What was found in the sentences seen last, at most so many; `find` looks at those that are new together.

    Threads may share it. Two that meet the same new sentence both look at it: neither waits for the other.
    """

    def __init__(self, find: Callable[[Sequence[Sentence]], Iterable[tuple[Claim, ...]]], most: int = _KEPT) -> None:
        self._find: Callable[[Sequence[Sentence]], Iterable[tuple[Claim, ...]]] = find
        self._most = most
        self._found: dict[Sentence, tuple[Claim, ...]] = {}
        self._writing = Lock()

    def __len__(self) -> int:
        return len(self._found)

    def of(self, sentences: Sequence[Sentence]) -> list[tuple[Claim, ...]]:
        """Return what is claimed in each sentence."""
        # Looked up once: another thread may drop it meanwhile.
        known = {sentence: self._found.get(sentence) for sentence in sentences}
        new = [sentence for sentence, claims in known.items() if claims is None]
        if new:
            found = dict(zip(new, self._find(new), strict=True))
            self._keep(found)
            known |= found
        return [known[sentence] or () for sentence in sentences]

    def unseen(self, sentences: Iterable[Sentence]) -> list[Sentence]:
        """Return the sentences nothing is kept of."""
        return [sentence for sentence in sentences if sentence not in self._found]

    def forget(self) -> None:
        """Forget everything."""
        with self._writing:
            self._found.clear()

    def _keep(self, found: Mapping[Sentence, tuple[Claim, ...]]) -> None:
        with self._writing:
            self._found.update(found)
            for old in list(islice(self._found, max(0, len(self._found) - self._most))):
                del self._found[old]


async def compile_patterns() -> None:
    """Compile all patterns ahead of the texts that come near them. It takes seconds; it may be given up at any time."""
    for locale, explicit in zip(LOCALES, explicit_rules(), strict=True):
        for pattern in (*explicit.patterns, *activity_rules(locale).patterns):
            await asyncio.to_thread(pattern.compile)


def find_claims(text: str) -> Claims:
    """Find both kinds of claims in one analysis of the text."""
    reading = read(text)
    return Claims(_times(reading), _activities(reading))


def find_time_claims(text: str) -> tuple[TimeClaim, ...]:
    """Find what a text states about the current time, weekday, date or part of the day, as often as it does.

    Never raises.
    """
    return _times(read(text))


async def look_ahead(text: str) -> None:
    """Look at what is new of a long text in a thread, so that `find_time_claims` finds it known and holds nobody up."""
    if len(text) <= _AT_ONCE:
        return
    new = kept_times().unseen(read(text).sentences)
    if sum(len(sentence.text) for sentence in new) > _AT_ONCE:
        await asyncio.to_thread(kept_times().of, new)


def find_activity_claims(text: str) -> tuple[ActivityClaim, ...]:
    """Find activities and states of the body that a text claims for its speaker. Never raises."""
    return _activities(read(text))


def forget() -> None:
    """Forget what was found in the sentences seen so far."""
    kept_times().forget()
    kept_activities().forget()


@cache
def kept_times() -> Kept[TimeClaim]:
    """Return what is kept of explicit claims."""
    return Kept(lambda sentences: map(_distinct, explicit_claims(sentences)))


@cache
def kept_activities() -> Kept[ActivityClaim]:
    """Return what is kept of implicit claims."""
    return Kept(lambda sentences: map(activity_claims, sentences, opinions(sentences)))


def _distinct(claims: Iterable[TimeClaim]) -> tuple[TimeClaim, ...]:
    """Return of what is claimed twice in a sentence, or found by two rules, the first."""
    kept: dict[tuple[object, ...], TimeClaim] = {}
    for claim in claims:
        kept.setdefault((claim.kind, claim.value, claim.approx, claim.ambiguous_12h), claim)
    return tuple(kept.values())


def _times(reading: Reading) -> tuple[TimeClaim, ...]:
    return tuple(_placed(reading, kept_times()))


def _activities(reading: Reading) -> tuple[ActivityClaim, ...]:
    return tuple(_placed(reading, kept_activities()))


def _placed(reading: Reading, kept: Kept[Claim]) -> Iterator[Claim]:
    """Give the claims of every sentence with their places in the text as it was given."""
    for offset, claims in zip(reading.offsets, kept.of(reading.sentences), strict=True):
        for claim in claims:
            start, end = reading.folded.span(offset + claim.start, offset + claim.end)
            yield replace(claim, start=start, end=end)
