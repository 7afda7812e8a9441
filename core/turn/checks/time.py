"""The time guard on replies: what they say of the present must agree with the turn's snapshot."""

from zoneinfo import ZoneInfo

from core.facts.time_claims import contradicts, find_time_claims
from core.turn.checks.base import CheckResult, Finding, Severity
from core.turn.types import AssembledTurn

RULE = "time.contradiction"


class TimeCheck:
    """Asks for another try at a reply that states a wrong time, weekday, date or part of the day as now.

    It looks only at what is said outright. What a character says of its own day is for the capsule to get right.
    """

    name = "time"

    def check(self, turn: AssembledTurn, text: str, *, complete: bool) -> CheckResult:
        """Find every claim about the present that the snapshot contradicts."""
        claims = find_time_claims(text)
        snapshot = turn.turn.snapshot
        now = snapshot.observed_at.astimezone(ZoneInfo(snapshot.timezone))
        if not contradicts(claims, now):
            return CheckResult(detail=f"claims={len(claims)}")
        wrong = [claim for claim in claims if contradicts((claim,), now)]
        return CheckResult(
            tuple(Finding(RULE, Severity.REPAIR, claim.start, claim.end) for claim in wrong),
            detail=f"claims={len(claims)}",
        )
