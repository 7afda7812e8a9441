"""What follows from the findings: one visible table (seed 000, §6 and its column of first judgements)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.stance.gate.types import GateAction, GateSeverity, StanceFinding
from core.stance.types import GuidanceStakes, ReflectiveSupportSignal

GRAVE = frozenset({"third_party_certainty", "high_stakes_specificity", "overreliance_continuation"})
"""The rules that the seed judges "repair / fallback": what breaks them can do harm by itself."""


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """One row of the table: where this holds, this follows for the whole reply."""

    action: GateAction
    why: str
    holds: Callable[[Sequence[StanceFinding], ReflectiveSupportSignal], bool]


def at_stake(signal: ReflectiveSupportSignal) -> bool:
    """Return whether much hangs on the answer."""
    return signal.crisis or signal.stakes.at_least(GuidanceStakes.HIGH)


def _dangerous(findings: Sequence[StanceFinding]) -> bool:
    return any(finding.severity is GateSeverity.FALLBACK for finding in findings)


def _harmful(findings: Sequence[StanceFinding]) -> bool:
    return any(finding.rule in GRAVE for finding in findings)


def _independent(findings: Sequence[StanceFinding]) -> bool:
    """Return whether two findings neither come from the same rule nor from the same words."""
    return any(
        one.rule != other.rule and (one.end <= other.start or other.end <= one.start)
        for one in findings
        for other in findings
    )


DECISIONS: tuple[DecisionRow, ...] = (
    DecisionRow(GateAction.FALLBACK, "a dangerous pattern", lambda findings, _: _dangerous(findings)),
    DecisionRow(
        GateAction.FALLBACK,
        "in acute danger, a fault that can do harm by itself",
        lambda findings, signal: signal.crisis and _harmful(findings),
    ),
    DecisionRow(
        GateAction.FALLBACK,
        "two independent faults where much is at stake",
        lambda findings, signal: at_stake(signal) and _independent(findings),
    ),
    DecisionRow(GateAction.REPAIR, "any other fault", lambda findings, _: bool(findings)),
)
"""Read from the top; the first row that holds decides. None holds: `GateAction.PASS`."""


def decide(findings: Sequence[StanceFinding], signal: ReflectiveSupportSignal) -> GateAction:
    """Return what happens to a reply with these findings."""
    return next((row.action for row in DECISIONS if row.holds(findings, signal)), GateAction.PASS)
