"""Admission: whether a text may be said first (seed 001, grounding at send time).

A neutral text must be true at any moment, to anybody; a schedule-bound one may claim its own activity and nothing
else. What it may not claim is found by rules and, where they find nothing, by a learned second opinion, so that a text
nobody could check is never there to be chosen.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from core.proactive.claims.domains import other_activities
from core.proactive.claims.finding import claims_in
from core.proactive.claims.types import ClaimName, Finding
from core.proactive.opinion.opinion import SecondOpinion
from core.proactive.types import Grounding
from core.proactive.wording import SLOTS

_SLOT = re.compile(r"\{([^{}]*)\}|[{}]")
_GRANTED: Mapping[Grounding, frozenset[ClaimName]] = MappingProxyType(
    {
        Grounding.NEUTRAL: frozenset(),
        Grounding.SCHEDULE: frozenset({ClaimName.ACTIVITY, ClaimName.TODAY}),
    }
)


def examine(
    text: str, kind: Grounding, *, activity: str | None = None, opinion: SecondOpinion | None = None
) -> tuple[Finding, ...]:
    """Return what a text claims that one of its kind may not; nothing if it may be said.

    `activity` describes what a schedule-bound text is tied to, where that is known. `opinion` is asked about a neutral
    text where the rules find nothing. Texts may mix languages. Offsets are characters of the text as it was given;
    findings stand in order, none inside another.
    """
    own = _SLOT.sub(lambda match: "\ufffc" * len(match.group()), text)
    found = [*_slots(text, kind), *claims_in(own)]
    if kind is Grounding.SCHEDULE:
        found += other_activities(own, activity)
    refused = tuple(_outermost([finding for finding in found if finding.claim not in _GRANTED[kind]]))
    if refused or opinion is None or kind is not Grounding.NEUTRAL:
        return refused
    learned = opinion.ask(own)
    return () if learned is None else (learned,)


def _slots(text: str, kind: Grounding) -> Iterator[Finding]:
    for match in _SLOT.finditer(text):
        if kind is Grounding.NEUTRAL or match.group(1) not in SLOTS:
            yield Finding(claim=ClaimName.SLOT, start=match.start(), end=match.end(), rule="slot")


def _outermost(found: Sequence[Finding]) -> Iterator[Finding]:
    end = -1
    for finding in sorted(found, key=lambda finding: (finding.start, -finding.end)):
        if finding.end > end:
            yield finding
            end = finding.end
