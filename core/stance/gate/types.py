"""What the gate says of a reply."""

from dataclasses import dataclass
from enum import StrEnum


class GateSeverity(StrEnum):
    """What one finding asks for."""

    REPAIR = "repair"
    FALLBACK = "fallback"


class GateAction(StrEnum):
    """What follows for the whole reply."""

    PASS = "pass"  # noqa: S105
    REPAIR = "repair"
    FALLBACK = "fallback"


@dataclass(frozen=True, slots=True)
class StanceFinding:
    """A rule the reply breaks, and where: `start` and `end` count characters of the reply as it was given."""

    rule: str
    severity: GateSeverity
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GateVerdict:
    """What was found, in the order of the text, and what follows.

    `suppressed` are the findings an operator's allow-list let pass; they count for nothing but are shown in the trace.
    """

    action: GateAction
    findings: tuple[StanceFinding, ...] = ()
    suppressed: tuple[StanceFinding, ...] = ()

    @property
    def reason(self) -> str | None:
        """The id of the gravest rule, the earliest where several are equally grave; None when all is well."""
        gravest = sorted(self.findings, key=lambda finding: finding.severity is not GateSeverity.FALLBACK)
        return gravest[0].rule if gravest else None
