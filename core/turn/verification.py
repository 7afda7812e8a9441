"""Step 4, pre-send verification: every check over the text, and one verdict."""

from dataclasses import dataclass
from enum import StrEnum

from core.clock import Clock
from core.facts.time_claims import look_ahead
from core.turn.checks.base import Check, Finding, Severity
from core.turn.trace import TraceStep
from core.turn.types import AssembledTurn


class Action(StrEnum):
    """What happens to a text."""

    PASS = "pass"  # noqa: S105
    REPAIR = "repair"
    FALLBACK = "fallback"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the checks found and what follows."""

    action: Action
    findings: tuple[Finding, ...]
    trace: tuple[TraceStep, ...]

    @property
    def rules(self) -> tuple[str, ...]:
        """The ids of the rules that were broken, each once, the gravest first."""
        by_gravity = sorted(self.findings, key=lambda finding: finding.severity is not Severity.FALLBACK)
        return tuple(dict.fromkeys(finding.rule for finding in by_gravity))


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """Runs the checks in their order."""

    checks: tuple[Check, ...]
    clock: Clock

    async def verify(self, turn: AssembledTurn, text: str) -> Verdict:
        """Look at a complete reply."""
        await look_ahead(text)
        findings: list[Finding] = []
        trace: list[TraceStep] = []
        for check in self.checks:
            began = self.clock.monotonic()
            result = check.check(turn, text, complete=True)
            took = (self.clock.monotonic() - began) * 1000
            findings += result.findings
            status = "not_checked" if not result.checked else "found" if result.findings else "passed"
            rules = tuple(dict.fromkeys(finding.rule for finding in result.findings))
            trace.append(
                TraceStep(f"check.{check.name}", status, (*rules, *result.noted), round(took, 3), result.detail)
            )
        return Verdict(_action(findings), tuple(findings), tuple(trace))

    async def may_show(self, turn: AssembledTurn, beginning: str) -> bool:
        """Return whether the beginning of a reply may be shown while the rest is being written."""
        await look_ahead(beginning)
        return not any(check.check(turn, beginning, complete=False).findings for check in self.checks)


def _action(findings: list[Finding]) -> Action:
    if any(finding.severity is Severity.FALLBACK for finding in findings):
        return Action.FALLBACK
    return Action.REPAIR if findings else Action.PASS
