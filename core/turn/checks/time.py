"""The time guard on replies: what they say of the present must agree with the turn's snapshot."""

import re
from zoneinfo import ZoneInfo

from core.facts.time_claims import TimeClaim, contradicts, find_time_claims
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
            claims = tuple(claim for claim in claims if not _is_elsewhere(text, claim))
        now = snapshot.observed_at.astimezone(ZoneInfo(snapshot.timezone))
        if not contradicts(claims, now):
            return CheckResult(detail=f"claims={len(claims)}")
        wrong = [claim for claim in claims if contradicts((claim,), now)]
        return CheckResult(
            tuple(Finding(RULE, Severity.REPAIR, claim.start, claim.end, claim.kind.value) for claim in wrong),
            detail=f"claims={len(claims)}",
        )


def _is_elsewhere(text: str, claim: TimeClaim) -> bool:
    """Return whether a claim is about the other person's clock, which nobody here can see."""
    start = max((end.end() for end in _SENTENCE_END.finditer(text, 0, claim.start)), default=0)
    end = _SENTENCE_END.search(text, claim.end)
    if _THERE.match(text, claim.end):
        return True
    return _ELSEWHERE.search(text, start, end.start() if end else len(text)) is not None
