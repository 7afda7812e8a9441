"""The exposure guard: nothing that may not be shown here went into the prompt."""

from core.turn.checks.base import CheckResult, Finding, Severity
from core.turn.exposure import may_enter
from core.turn.types import AssembledTurn, all_ingredients


class ExposureCheck:
    """Looks once more at where every ingredient came from.

    Gathering already leaves out what may not enter. Should a later way of gathering forget to, the answer is held
    back as a whole, since nobody can tell which of its words came from where.
    """

    name = "exposure"

    def check(self, turn: AssembledTurn, text: str, *, complete: bool) -> CheckResult:
        """Find the reply at fault if any ingredient may not be shown at the turn's surface."""
        target = turn.turn.surface
        if all(may_enter(ingredient.origin, target) for ingredient in all_ingredients(turn.enriched)):
            return CheckResult()
        return CheckResult((Finding("exposure", Severity.FALLBACK, 0, len(text)),))
