"""The time guard on replies: what they say of the present must agree with the turn's snapshot."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from operator import itemgetter
from zoneinfo import ZoneInfo

from core.facts.time_claims import ClaimKind, TimeClaim, contradicts, find_time_claims
from core.turn.checks.base import CheckResult, Finding, Severity
from core.turn.types import AssembledTurn

RULE = "time.contradiction"


# Words that place a time where the other person is.
_ELSEWHERE = re.compile(
    r"\b(?:for you|where you are|(?:on|at) your (?:end|side)|your time|somewhere)\b"
    r"|そっち|そちら|あっち|あちら|向こう|(?:あなた|君|きみ|お前)の(?:ところ|所|国|町|街|時間)",
    re.IGNORECASE,
)
_THERE = re.compile(r"[ ,]*(?:already |now )?(?:over |out |up |down )?there\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[。！？!?\n]|\.(?=\s|$)")


class TimeCheck:
    """Asks for another try at a reply that states a wrong time, weekday, date or part of the day as now.

    It looks only at what is said outright. What a character says of its own day is for the capsule to get right, and
    a farewell (おやすみ, "good night") says that somebody goes to bed, not that it is night.
    """

    name = "time"

    def check(self, turn: AssembledTurn, text: str, *, complete: bool) -> CheckResult:
        """Find every claim about the present that the snapshot contradicts."""
        snapshot = turn.turn.snapshot
        claims = find_time_claims(text)
        if snapshot.capsule.user.timezone is None:
            claims = tuple(_not_elsewhere(text, claims))
        now = snapshot.observed_at.astimezone(ZoneInfo(snapshot.timezone))
        if not contradicts(claims, now):
            return CheckResult(detail=f"claims={len(claims)}")
        wrong: dict[tuple[ClaimKind, str], Finding] = {}
        for claim in claims:
            if contradicts((claim,), now):
                found = Finding(RULE, Severity.REPAIR, claim.start, claim.end, claim.kind.value)
                wrong.setdefault((claim.kind, claim.value), found)
        return CheckResult(tuple(wrong.values()), detail=f"claims={len(claims)}")


def _not_elsewhere(text: str, claims: Sequence[TimeClaim]) -> Iterator[TimeClaim]:
    """Give the claims that are not about the other person's clock, which nobody here can see."""
    ends = [end.span() for end in _SENTENCE_END.finditer(text)] if claims else []
    for claim in claims:
        before = bisect_right(ends, claim.start, key=itemgetter(1))
        after = bisect_left(ends, claim.end, key=itemgetter(0))
        start = ends[before - 1][1] if before else 0
        stop = ends[after][0] if after < len(ends) else len(text)
        if not (_THERE.match(text, claim.end) or _ELSEWHERE.search(text, start, stop)):
            yield claim
