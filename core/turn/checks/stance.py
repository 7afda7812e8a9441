"""The stance gate on replies: being on somebody's side without giving up what can't be known."""

from core.stance.policy import ALLOWED, StancePolicy
from core.turn.checks.base import CheckResult, Finding, Severity
from core.turn.types import AssembledTurn


class StanceCheck:
    """Asks the stance policy what breaks the stance; holds no rule of its own."""

    name = "stance"

    def __init__(self, policy: StancePolicy) -> None:
        self._policy = policy

    def check(self, turn: AssembledTurn, text: str, *, complete: bool) -> CheckResult:
        """Find what breaks a rule of stance, given what the turn was read as."""
        reading = turn.enriched.stance
        if reading is None:
            return CheckResult(checked=False, detail="the turn was not read")
        judgement = self._policy.judge(reading, text, complete=complete)
        return CheckResult(
            tuple(
                Finding(fault.rule, Severity.FALLBACK if fault.dangerous else Severity.REPAIR, fault.start, fault.end)
                for fault in judgement.faults
            ),
            noted=tuple(ALLOWED + rule for rule in judgement.let_pass),
        )
