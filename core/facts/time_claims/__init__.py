"""What a text claims about the present: the current time, and doings of the speaker's own.

Two predicates over a text, in Japanese and English, deterministic and quick enough to run on every sentence of a
stream:

* *explicit* claims name the current time, weekday, date or part of the day (`find_time_claims`); `contradicts` tells
  whether one of them is false at a given moment;
* *implicit* claims say that the speaker does, has just done or feels something that only a life in time has
  (`find_activity_claims`): there is no clock to hold them against, so texts that must not carry any are refused.

How: a text is folded and cut (`reading`), candidates are found where a rule can begin (`index`), and each becomes a
claim if something makes it one and nothing rules it out (`explicit`, `activity`). Words and patterns are in the four
data files beside this one. `docs/time-guard.md` says what counts, with the tolerances and limits.

All that is imported with the first text: it takes a tenth of a second, and a start has no text to look at.
"""

from collections.abc import Mapping
from typing import Any

from core.facts.time_claims.types import ActivityClaim, Approximation, ClaimKind, Claims, TimeClaim
from core.facts.time_claims.verdict import contradicts, holds

__all__ = [
    "ActivityClaim",
    "Approximation",
    "ClaimKind",
    "Claims",
    "TimeClaim",
    "compile_patterns",
    "contradicts",
    "find_activity_claims",
    "find_claims",
    "find_time_claims",
    "holds",
    "inspect_time",
    "look_ahead",
]


async def compile_patterns() -> None:
    """See `finding.compile_patterns`."""
    from core.facts.time_claims import finding  # noqa: PLC0415

    await finding.compile_patterns()


def find_claims(text: str) -> Claims:
    """See `finding.find_claims`."""
    from core.facts.time_claims import finding  # noqa: PLC0415

    return finding.find_claims(text)


def find_time_claims(text: str) -> tuple[TimeClaim, ...]:
    """See `finding.find_time_claims`."""
    from core.facts.time_claims import finding  # noqa: PLC0415

    return finding.find_time_claims(text)


async def look_ahead(text: str) -> None:
    """See `finding.look_ahead`."""
    from core.facts.time_claims import finding  # noqa: PLC0415

    await finding.look_ahead(text)


def find_activity_claims(text: str) -> tuple[ActivityClaim, ...]:
    """See `finding.find_activity_claims`."""
    from core.facts.time_claims import finding  # noqa: PLC0415

    return finding.find_activity_claims(text)


def inspect_time(record: Mapping[str, Any]) -> dict[str, Any]:
    """See `inspection.inspect_time`."""
    from core.facts.time_claims import inspection  # noqa: PLC0415

    return inspection.inspect_time(record)
