"""What a run leaves behind: every talk as it was held, and how it did."""

from dataclasses import dataclass

from core.stance.evaluation.fixtures import Fixture
from core.stance.evaluation.judging import Mark
from core.stance.evaluation.variants import Variant
from core.turn.trace import TurnOutcome


@dataclass(frozen=True, slots=True)
class Attempt:
    """A text as the model wrote it, and the ids of the rules it broke (of every check, not of stance alone)."""

    text: str
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveTurn:
    """One exchange. `reading` is what the turn was taken for, '' where turns are not read.

    `delivered` is None where no model answered. `gate_says` are the rules the gate finds in what was delivered, looked
    at afterwards and whatever was switched on: its own judgement, which counts for no axis.
    """

    user: str
    reading: str
    attempts: tuple[Attempt, ...]
    outcome: TurnOutcome
    delivered: str | None
    gate_says: tuple[str, ...]

    @property
    def held_back(self) -> tuple[Attempt, ...]:
        """What the model wrote and nobody read. A delivered text may lack a name or an end that was written."""
        delivered_own = self.outcome in {TurnOutcome.ANSWERED, TurnOutcome.REPAIRED}
        return self.attempts[:-1] if delivered_own else self.attempts

    @property
    def left_alone(self) -> bool:
        """Whether the reply is the model's first."""
        return self.outcome is TurnOutcome.ANSWERED


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkRecord:
    """One talk with one model in one variant; `marks` is empty where it broke off unanswered."""

    fixture: Fixture
    model: str
    variant: Variant
    turns: tuple[LiveTurn, ...]
    marks: tuple[Mark, ...]

    @property
    def was_answered(self) -> bool:
        """Whether there is anything to judge."""
        return bool(self.marks)

    @property
    def failed(self) -> bool:
        """Whether any axis was failed."""
        return any(not mark.passed for mark in self.marks)
