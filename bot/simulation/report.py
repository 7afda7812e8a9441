"""What a simulation came to."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.simulation.checking import KINDS
from bot.simulation.truth import Received, Truth
from core.proactive.types import SlotRecord, SlotState


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is simulated: so many days and people, with so many crashes of the program and jumps of its clock.

    `disturbed`: of how many steps on the way to a message one is disturbed (0 to 1).
    """

    days: int
    users: int
    seed: int
    restarts: int
    jumps: int
    disturbed: float = 0.006


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """What came of some of the people, in a world of their own: what was decided, what really happened to them.

    `broken`: each broken rule with the message that broke it.
    """

    records: Sequence[SlotRecord]
    truth: Truth
    broken: Sequence[tuple[str, Received]]

    def lost(self) -> list[Received]:
        """Return the messages that reached somebody and of which there is no record."""
        known = {record.id for record in self.records if record.claimed_at is not None}
        return [message for message in self.truth.received if message.nonce not in known]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of everybody."""

    plan: Plan
    groups: Sequence[Group]

    @property
    def records(self) -> Iterator[SlotRecord]:
        """Everything that was decided."""
        return (record for group in self.groups for record in group.records)

    @property
    def received(self) -> Iterator[Received]:
        """Everything that reached anybody."""
        return (message for group in self.groups for message in group.truth.received)

    @property
    def violations(self) -> dict[str, int]:
        """How often each rule was broken."""
        found = Counter(kind for group in self.groups for kind, _ in group.broken)
        return {kind: found[kind] for kind in KINDS}

    def counted(self, state: SlotState) -> int:
        """Return how many slots ended in a state."""
        return sum(record.state is state for record in self.records)

    def skipped(self) -> dict[str, int]:
        """Return how many were skipped, by reason."""
        found = Counter(
            record.reason.value
            for record in self.records
            if record.state is SlotState.SKIPPED and record.reason is not None
        )
        return dict(sorted(found.items()))

    def as_json(self) -> dict[str, object]:
        """Return the report."""
        return {
            "sent": self.counted(SlotState.SENT),
            "declined": self.counted(SlotState.DECLINED),
            "skipped": self.skipped(),
            "failed": self.counted(SlotState.FAILED),
            "unknown": self.counted(SlotState.UNKNOWN),
            "violations": self.violations,
            "days": self.plan.days,
            "users": self.plan.users,
            "seed": self.plan.seed,
        }
