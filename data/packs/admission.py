"""What a candidate's text may not claim, in words that say how to put it right."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from core.proactive.admission import examine
from core.proactive.claims.types import ClaimName, Finding
from core.proactive.opinion.opinion import SecondOpinion
from core.proactive.types import Grounding
from core.proactive.wording import SLOTS
from data.packs.passed import is_known_to_pass

_NAMED: Mapping[ClaimName, str] = MappingProxyType(
    {
        ClaimName.TIME: "names a time on the clock",
        ClaimName.WEEKDAY: "names the day of the week",
        ClaimName.DATE: "names the date",
        ClaimName.PART_OF_DAY: "fits a part of the day only",
        ClaimName.SEASON: "fits a season only",
        ClaimName.WEATHER: "tells the weather or the light",
        ClaimName.TODAY: "speaks of the present day",
        ClaimName.OTHER_DAY: "speaks of another day",
        ClaimName.ACTIVITY: "claims a doing or a state of the character",
        ClaimName.OTHER_ACTIVITY: "claims another activity than its own",
        ClaimName.USER_PRESENCE: "claims that the reader was away, silent or is back",
        ClaimName.USER_MOOD: "claims how the reader feels",
        ClaimName.USER_HEALTH: "claims how the reader's body is",
        ClaimName.USER_DAY: "takes something about the reader's day for granted",
        ClaimName.USER_DOINGS: "takes something that the reader does, did or said for granted",
        ClaimName.USER_TRAIT: "claims to know what the reader is like",
        ClaimName.LEARNED: "may claim something about the moment (learned)",
    }
)
_REPHRASE = "say it as a question, a liking, a habit or a fact that holds at any time"
_RULE: Mapping[Grounding, str] = MappingProxyType(
    {
        Grounding.NEUTRAL: "a neutral text must be true at any moment, to anybody",
        Grounding.SCHEDULE: "a scheduled text may speak of its own activity only",
    }
)


def refusals(
    text: str, kind: Grounding, *, activity: str | None = None, opinion: SecondOpinion | None = None
) -> Iterator[str]:
    """Yield what keeps a text from being admitted, each with the words it is about."""
    by_words = opinion is not None and opinion.encoder is None
    if by_words and is_known_to_pass(kind.value, activity or "", text):
        return
    for finding in examine(text, kind, activity=activity, opinion=opinion):
        yield _worded(text[finding.start : finding.end], finding, kind)


def _worded(span: str, finding: Finding, kind: Grounding) -> str:
    if finding.claim is not ClaimName.SLOT:
        told = f"'{span}' {_NAMED[finding.claim]}; {_RULE[kind]}"
        return f"{told}; {_REPHRASE}" if finding.claim is ClaimName.LEARNED else told
    if kind is Grounding.NEUTRAL:
        return f"must not hold '{span}'; a neutral text is sent as it is written"
    names = ", ".join(f"{{{name}}}" for name in sorted(SLOTS))
    return f"'{span}' is nothing that the program can fill in; it knows {names}"
