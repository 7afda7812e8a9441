"""What a schedule says of a moment."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from core.characters.pack import Activity
from core.facts.schedule.holidays import Holiday


@dataclass(frozen=True, slots=True, kw_only=True)
class Upcoming:
    """What comes next, and when (UTC)."""

    activity: Activity
    begins: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleState:
    """What the character does at `observed_at`; no `activity` in an empty hour.

    `began` and `ends` bound the unbroken stretch of the activity (or of the empty time) and are None where they lie
    beyond what is looked at; `upcoming` likewise. All moments are aware and in UTC.
    """

    observed_at: datetime
    activity: Activity | None
    began: datetime | None
    ends: datetime | None
    upcoming: Upcoming | None

    @property
    def running_for(self) -> timedelta | None:
        """How long the stretch has lasted."""
        return None if self.began is None else self.observed_at - self.began

    @property
    def remaining(self) -> timedelta | None:
        """How long it will go on."""
        return None if self.ends is None else self.ends - self.observed_at

    @property
    def upcoming_in(self) -> timedelta | None:
        """How long until the next activity."""
        return None if self.upcoming is None else self.upcoming.begins - self.observed_at


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """An unbroken time of one activity, or of none, that belongs to the day it begins on."""

    day: date
    start: datetime
    end: datetime
    activity: Activity | None
    holiday: Holiday | None = None
