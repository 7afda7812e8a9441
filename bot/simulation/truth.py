"""What really happened in a simulation: what people wanted and when, and what reached them.

Nothing here comes from the program's own decisions, so that the check of what it did doesn't lean on them.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count
from typing import TypeVar

from core.characters.pack import TimeRange
from core.facts.schedule.timetable import Timetable


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """What somebody has chosen from `order` on. `at` is the program's wall time. None: as the character does.

    `since`: from which order on anything about them may be known. Whoever was forgotten, or opted out and came back,
    begins anew.
    """

    order: int = 0
    since: int = 0
    at: datetime | None = None
    enabled: bool = False
    zone: str | None = None
    windows: tuple[TimeRange, ...] | None = None
    quiet: TimeRange | None = None
    per_day: int | None = None
    gap: timedelta | None = None
    paused_until: datetime | None = None
    suspended_until: datetime | None = None
    opted_out: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """What holds for everybody from `order` on."""

    order: int = 0
    frozen: bool = False
    paused_until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """The schedule from `order` on; `content` is the same for the same text, None while it can't be read."""

    order: int = 0
    content: str | None
    timetable: Timetable | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """A look at the moment, on which a message with that nonce may rest. `at` and `elapsed` as of `Received`."""

    order: int
    at: datetime
    elapsed: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """A message as it reached somebody. `at` is the program's wall time then, `elapsed` true seconds."""

    order: int
    at: datetime
    elapsed: float
    person: int
    text: str
    nonce: str


@dataclass(slots=True)
class Truth:
    """The record of a simulation, in one order."""

    chosen: dict[int, list[Chosen]] = field(default_factory=lambda: defaultdict(list))
    spoke: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    received: list[Received] = field(default_factory=list)
    observed: dict[str, list[Observed]] = field(default_factory=lambda: defaultdict(list))
    house: list[House] = field(default_factory=lambda: [House()])
    schedule: list[Edition] = field(default_factory=list)
    _order: "count[int]" = field(default_factory=lambda: count(1))

    def order(self) -> int:
        """Return the number of what happens next."""
        return next(self._order)

    def chosen_at(self, person: int, order: int) -> Chosen:
        """Return what somebody had chosen at a point of the order."""
        return latest(self.chosen.get(person, ()), order) or Chosen()

    def zone_around(self, person: int, moment: datetime) -> str | None:
        """Return somebody's time zone at a wall time, as far as one was known."""
        known = [one for one in self.chosen.get(person, ()) if one.zone is not None]
        earlier = [one for one in known if one.at is not None and one.at <= moment]
        return (earlier[-1] if earlier else known[0]).zone if known else None


_Ordered = TypeVar("_Ordered", Chosen, House, Edition, Observed)


def latest(entries: Sequence[_Ordered], order: int) -> _Ordered | None:
    """Return the last entry before a point of the order."""
    return next((entry for entry in reversed(entries) if entry.order < order), None)
