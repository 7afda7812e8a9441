"""Checks whose place in the pipeline is set and that don't look; they say so, and why, in every trace."""

from core.turn.checks.base import CheckResult
from core.turn.types import AssembledTurn

SWITCHED_OFF = "switched off"


class PendingCheck:
    """Looks at nothing and says that it did not, so that no trace claims a check that was never made."""

    def __init__(self, name: str, why: str = "no rules yet") -> None:
        self.name = name
        self._why = why

    def check(self, turn: AssembledTurn, text: str, *, complete: bool) -> CheckResult:
        """Report that nothing was checked."""
        return CheckResult(checked=False, detail=self._why)
