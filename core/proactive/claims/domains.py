"""Kinds of doings: whether a schedule-bound text speaks of another activity than its own."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files

from core.facts.time_claims import find_activity_claims
from core.proactive.claims.reading import sentences
from core.proactive.claims.types import ClaimName, Finding


def other_activities(text: str, own: str | None) -> Iterator[Finding]:
    """Yield the sentences that claim a doing of another kind than the text's own.

    `own` describes the activity that the text is bound to; where it isn't known, the first kind that the text speaks
    of is taken for its own.
    """
    # What only sounds like a doing may well be a part of the text's own one.
    claims = [claim for claim in find_activity_claims(text) if not claim.rule.endswith(".learned")]
    known = None if own is None else _kinds(own.lower())
    for sentence in sentences(text):
        start, end = sentence.span(0, len(sentence.text))
        kinds = _kinds(sentence.text)
        if known is None:
            known = kinds or None
        elif kinds and kinds.isdisjoint(known) and any(start <= claim.start < end for claim in claims):
            yield Finding(claim=ClaimName.OTHER_ACTIVITY, start=start, end=end, rule="other_activity")


def _kinds(text: str) -> frozenset[str]:
    return frozenset(name for name, pattern in _domains().items() if pattern.search(text))


@cache
def _domains() -> Mapping[str, re.Pattern[str]]:
    data = tomllib.loads(files("core.proactive.claims").joinpath("domains.toml").read_text("utf-8"))
    return {name: re.compile(pattern) for name, pattern in data.items()}
