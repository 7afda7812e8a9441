"""The predicates, as others call them."""

from dataclasses import dataclass

from core.facts.time_claims.activity import activity_claims
from core.facts.time_claims.explicit import explicit_claims
from core.facts.time_claims.reading import read
from core.facts.time_claims.types import ActivityClaim, TimeClaim


@dataclass(frozen=True, slots=True)
class Claims:
    """All claims of one text, each kind in the order they stand in."""

    times: tuple[TimeClaim, ...]
    activities: tuple[ActivityClaim, ...]


def find_claims(text: str) -> Claims:
    """Find both kinds of claims in one analysis of the text."""
    reading = read(text)
    return Claims(explicit_claims(reading), activity_claims(reading))


def find_time_claims(text: str) -> tuple[TimeClaim, ...]:
    """Find what a text states about the current time, weekday, date or part of the day. Never raises."""
    return explicit_claims(read(text))


def find_activity_claims(text: str) -> tuple[ActivityClaim, ...]:
    """Find activities and states of the body that a text claims for its speaker. Never raises."""
    return activity_claims(read(text))
