"""One line of the doctor's report."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from enum import StrEnum


class Level(StrEnum):
    """How bad it is; only a problem makes the exit code 1."""

    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Finding:
    """What was looked at, how it is, and the way to mend it where it isn't ok."""

    level: Level
    topic: str
    text: str
    fix: str = ""

    def as_json(self) -> dict[str, str]:
        """Return the finding as plain JSON values."""
        return {key: str(value) for key, value in asdict(self).items()}


def ok(topic: str, text: str) -> Finding:
    """Return a finding that needs nothing done."""
    return Finding(Level.OK, topic, text)


def warning(topic: str, text: str, fix: str) -> Finding:
    """Return a finding with which the program still runs, reduced."""
    return Finding(Level.WARNING, topic, text, fix)


def problem(topic: str, text: str, fix: str) -> Finding:
    """Return a finding with which the program, or this part of it, can't run."""
    return Finding(Level.PROBLEM, topic, text, fix)


def is_healthy(findings: Iterable[Finding]) -> bool:
    """Return whether there is no problem among the findings."""
    return all(finding.level is not Level.PROBLEM for finding in findings)
