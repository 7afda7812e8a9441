"""One time something takes place, as two moments: what every kind of schedule comes down to."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Occurrence:
    """An activity from `start` until before `end` (aware, in UTC). `order`: where it stands in its file."""

    activity: str
    start: datetime
    end: datetime
    priority: int = 0
    is_exception: bool = False
    order: int = 0

    @property
    def rank(self) -> tuple[int, bool, datetime, int]:
        """What decides between occurrences that overlap; the greatest holds."""
        return self.priority, self.is_exception, self.start, -self.order


class OccurrenceSource(Protocol):
    """A schedule that is not a week, such as a calendar file."""

    def overlapping(self, start: datetime, end: datetime) -> Sequence[Occurrence]:
        """Return whatever takes place between two moments, even in part, in any order."""
