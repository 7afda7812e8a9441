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
"""

from core.facts.time_claims.finding import (
    Claims,
    compile_patterns,
    find_activity_claims,
    find_claims,
    find_time_claims,
    look_ahead,
)
from core.facts.time_claims.inspection import inspect_time
from core.facts.time_claims.types import ActivityClaim, Approximation, ClaimKind, TimeClaim
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
