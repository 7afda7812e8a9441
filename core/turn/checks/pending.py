"""Checks whose place in the pipeline is set and whose rules have not come yet; they say so in every trace."""

from core.turn.checks.base import CheckResult
from core.turn.types import AssembledTurn


class PendingCheck:
    """Looks at nothing and says that it did not, so that no trace claims a check that was never made."""

    def __init__(self, name: str) -> None:
        self.name = name

    def check(self, turn: AssembledTurn, text: str, *, complete: bool) -> CheckResult:
        """Report that nothing was checked."""
        return CheckResult(checked=False, detail="no rules yet")
