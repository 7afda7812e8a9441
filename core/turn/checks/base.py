"""The shape of a check, its subject and its findings."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from core.turn.types import AssembledTurn


class Severity(StrEnum):
    """What a finding asks for."""

    REPAIR = "repair"
    FALLBACK = "fallback"


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule that a reply breaks, and where (character offsets); `about` is the kind of statement that is wrong."""

    rule: str
    severity: Severity
    start: int
    end: int
    about: str = ""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What a check says. `checked` is false when it could not look, which is not the same as finding nothing.

    `noted` are ids that stand in the trace beside the rules and have no consequence.
    """

    findings: tuple[Finding, ...] = ()
    checked: bool = True
    detail: str = ""
    noted: tuple[str, ...] = ()


class Check(Protocol):
    """One check. It is deterministic and quick: it runs on every sentence that streams."""

    @property
    def name(self) -> str:
        """As it stands in the trace."""

    def check(self, turn: AssembledTurn, text: str, *, complete: bool) -> CheckResult:
        """Look at a reply; `complete` is false while it is still being written."""
