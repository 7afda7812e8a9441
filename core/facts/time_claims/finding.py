"""The predicates, as others call them.

A reply that is streamed is judged again with each sentence that is added. What was found in a sentence is kept for a
while, in memory only, so that each is looked at once.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeVar

from core.facts.time_claims.activity import activity_claims
from core.facts.time_claims.explicit import explicit_claims
from core.facts.time_claims.reading import Reading, Sentence, read
from core.facts.time_claims.types import ActivityClaim, ClaimKind, TimeClaim

_KEPT = 1024
Claim = TypeVar("Claim", TimeClaim, ActivityClaim)


@dataclass(frozen=True, slots=True)
class Claims:
    """All claims of one text, each kind in the order they stand in."""

    times: tuple[TimeClaim, ...]
    activities: tuple[ActivityClaim, ...]


def find_claims(text: str) -> Claims:
    """Find both kinds of claims in one analysis of the text."""
    reading = read(text)
    return Claims(_times(reading), _activities(reading))


def find_time_claims(text: str) -> tuple[TimeClaim, ...]:
    """Find what a text states about the current time, weekday, date or part of the day. Never raises."""
    return _times(read(text))


def find_activity_claims(text: str) -> tuple[ActivityClaim, ...]:
    """Find activities and states of the body that a text claims for its speaker. Never raises."""
    return _activities(read(text))


def forget() -> None:
    """Forget what was found in the sentences seen so far."""
    _times_of.cache_clear()
    _activities_of.cache_clear()


_times_of = lru_cache(maxsize=_KEPT)(explicit_claims)
_activities_of = lru_cache(maxsize=_KEPT)(activity_claims)


def _times(reading: Reading) -> tuple[TimeClaim, ...]:
    """Return one claim for each kind and value, the first found."""
    kept: dict[tuple[ClaimKind, str], TimeClaim] = {}
    for claim in _placed(reading, _times_of):
        kept.setdefault((claim.kind, claim.value), claim)
    return tuple(kept.values())


def _activities(reading: Reading) -> tuple[ActivityClaim, ...]:
    return tuple(_placed(reading, _activities_of))


def _placed(reading: Reading, found_in: Callable[[Sentence], tuple[Claim, ...]]) -> Iterator[Claim]:
    """Give the claims of every sentence with their places in the text as it was given."""
    for offset, sentence in reading.sentences:
        for claim in found_in(sentence):
            start, end = reading.folded.span(offset + claim.start, offset + claim.end)
            yield replace(claim, start=start, end=end)
