"""A character pack, once it has been found valid."""

from dataclasses import dataclass, field
from datetime import time
from enum import IntEnum, StrEnum

from core.errors import Problem
from core.facts.schedule.occurrence import OccurrenceSource
from core.values import Character, Locale

EVERY_ACTIVITY = "*"


class Weekday(IntEnum):
    """Days of the week, numbered as `datetime.date.weekday()` numbers them."""

    MON = 0
    TUE = 1
    WED = 2
    THU = 3
    FRI = 4
    SAT = 5
    SUN = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Activity:
    """Something the character does. `text` says it in each locale of the character."""

    id: str
    text: dict[Locale, str]
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A stretch of an activity, in the character's time zone. It ends on the next day where `end` <= `start`.

    Where spans overlap, the higher `priority` holds, then the later start.
    """

    activity: str
    start: time
    end: time
    priority: int = 0

    @property
    def crosses_midnight(self) -> bool:
        """Whether it ends on the day after it began (a whole day where start and end are the same)."""
        return self.end <= self.start


class HolidayRule(StrEnum):
    """What public holidays do to a weekly entry."""

    IGNORE = "ignore"
    SKIP = "skip"
    ALSO = "also"
    ONLY = "only"


@dataclass(frozen=True, slots=True, kw_only=True)
class WeeklyEntry:
    """A span that begins on each of `days`.

    On public holidays it is left out (`SKIP`) or takes place whatever day it is (`ALSO`); with `ONLY` it takes place
    on those of its days that are holidays and on no others.
    """

    days: frozenset[Weekday]
    span: Span
    on_holidays: HolidayRule = HolidayRule.IGNORE


@dataclass(frozen=True, slots=True, kw_only=True)
class DatedException:
    """A day that goes otherwise, each year where `year` is None.

    Weekly spans of the activities in `cancel` that begin on it don't take place (`EVERY_ACTIVITY`: none does);
    those in `add` do, and before weekly ones of the same priority.
    """

    year: int | None
    month: int
    day: int
    cancel: frozenset[str] = frozenset()
    add: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """A character's week. `activities` are by id; every span names one of them.

    `holidays` is the place whose public holidays count ("JP", "US-CA"). `calendar` stands for a calendar file, which
    a character has instead of a week.
    """

    activities: dict[str, Activity] = field(default_factory=dict)
    weekly: tuple[WeeklyEntry, ...] = ()
    exceptions: tuple[DatedException, ...] = ()
    holidays: str | None = None
    calendar: OccurrenceSource | None = None


class WindowKind(StrEnum):
    """Where a moment lies in relation to an activity."""

    BEFORE = "before"
    DURING = "during"
    AFTER = "after"


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivityWindow:
    """When a schedule-bound candidate may be said.

    `within_minutes`: of the start, for `BEFORE` and `DURING` (None: all of it); of the end, for `AFTER`.
    """

    activity: str
    kind: WindowKind
    within_minutes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A text the character may say first. `window` is None for a neutral one, which fits any moment."""

    id: str
    text: str
    cooldown_days: int
    window: ActivityWindow | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeRange:
    """Part of a day in the user's time zone; over midnight where `end` <= `start`."""

    start: time
    end: time


@dataclass(frozen=True, slots=True, kw_only=True)
class ProactivePolicy:
    """How the character speaks first to those who asked for it; each person may narrow it, never widen it.

    After `slow_after` unanswered messages the pace halves, after `stop_after` it stops until the person speaks.
    """

    enabled: bool = False
    per_day: int = 1
    minimum_gap_minutes: int = 240
    windows: tuple[TimeRange, ...] = ()
    quiet_hours: TimeRange = TimeRange(start=time(22), end=time(8))
    slow_after: int = 2
    stop_after: int = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class CharacterPack:
    """A character with its week and what it may say first. `candidates` has every locale, or is empty."""

    character: Character
    schedule: Schedule
    candidates: dict[Locale, tuple[Candidate, ...]]
    proactive: ProactivePolicy
    warnings: tuple[Problem, ...] = ()
