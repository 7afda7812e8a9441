"""What traces tell operators of stance integrity: how turns were read, what the gate did; never text, never names."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from core.stance.reading import ALLOWED, PREFIX
from core.turn.trace import LIFELINE, TraceRecord, TraceStep

_SIGNAL, _CHECK, _FALLBACK = "stance.signal", "check.stance", "fallback"


class GateOutcome(StrEnum):
    """What became of a turn's reply as far as its stance goes; `NOT_CHECKED` where there was no reply to look at."""

    PASS = "pass"  # noqa: S105
    REPAIR = "repair"
    FALLBACK = "fallback"
    NOT_CHECKED = "not_checked"


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnAccount:
    """One turn. `mode` and `stakes` are None where it was not read.

    `rules` are the gate's rules that drafts broke, each once; `let_pass` those the allow-list kept silent, once for
    each time.
    """

    at: datetime
    mode: str | None
    stakes: str | None
    crisis: bool
    gate: GateOutcome
    rules: tuple[str, ...]
    let_pass: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StanceTally:
    """Turns counted: all, those in acute danger, by what the gate did (a `GateOutcome`), by rule."""

    turns: int
    crises: int
    by_gate: Mapping[str, int]
    broken: Mapping[str, int]
    let_pass: Mapping[str, int]


def account_of(record: TraceRecord) -> TurnAccount:
    """Return what a trace tells."""
    return account_of_steps(record.at, record.steps)


def account_of_steps(at: datetime, steps: Sequence[TraceStep]) -> TurnAccount:
    """Return what the steps of a turn tell."""
    signal = _words(next((step for step in steps if step.name == _SIGNAL and step.status == "read"), None))
    noted = [rule for step in steps if step.name == _CHECK for rule in step.rules]
    return TurnAccount(
        at=at,
        mode=signal.get("mode"),
        stakes=signal.get("stakes"),
        crisis="crisis" in signal,
        gate=_gate(steps),
        rules=tuple(dict.fromkeys(_bare(rule) for rule in noted if not rule.startswith(ALLOWED))),
        let_pass=tuple(_bare(rule.removeprefix(ALLOWED)) for rule in noted if rule.startswith(ALLOWED)),
    )


def tally(accounts: Sequence[TurnAccount]) -> StanceTally:
    """Count turns; a rule counts once for each turn in which it was broken."""
    return StanceTally(
        turns=len(accounts),
        crises=sum(account.crisis for account in accounts),
        by_gate=Counter(account.gate.value for account in accounts),
        broken=Counter(rule for account in accounts for rule in account.rules),
        let_pass=Counter(rule for account in accounts for rule in account.let_pass),
    )


def _gate(steps: Sequence[TraceStep]) -> GateOutcome:
    replaced = any(step.name == _FALLBACK and any(rule.startswith(PREFIX) for rule in step.rules) for step in steps)
    if replaced or LIFELINE in steps:
        return GateOutcome.FALLBACK
    statuses = {step.status for step in steps if step.name == _CHECK}
    if "found" in statuses:
        return GateOutcome.REPAIR
    return GateOutcome.PASS if "passed" in statuses else GateOutcome.NOT_CHECKED


def _words(step: TraceStep | None) -> dict[str, str]:
    """Return the words of a summary (`StanceReading.summary`): those with a value, and those that stand alone."""
    words = () if step is None else step.detail.split()
    return {name: value for name, _, value in (word.partition("=") for word in words)}


def _bare(rule: str) -> str:
    return rule.removeprefix(PREFIX)
