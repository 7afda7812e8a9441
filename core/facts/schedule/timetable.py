"""A schedule in a time zone, ready to be asked about moments.

Days are worked out one by one and kept: a day is a row of segments, each with the one activity that holds. Asking
about a moment walks from its segment to the nearest change on either side.

Working out days can take a tenth of a second where a calendar is long. `prepare` does it ahead, in a thread of its own
if need be; asking about a moment for which all `is_ready` takes microseconds.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import chain, groupby, pairwise
from threading import Lock
from typing import Self
from zoneinfo import ZoneInfo

from core.characters.pack import Schedule
from core.facts.schedule.holidays import Holiday, HolidayCalendar
from core.facts.schedule.occurrence import Occurrence
from core.facts.schedule.state import ScheduleState, Stretch, Upcoming
from core.facts.schedule.wall import day_of, midnight
from core.facts.schedule.weekly import is_exceptional, occurrences_on
from core.facts.zones import find_zone

# How many days before and after the day of a moment are looked at.
HORIZON_DAYS = 14
_KEPT_DAYS = 64
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class _Segment:
    start: datetime
    end: datetime
    activity: str | None


class Timetable:
    """What a character does and when. The answers depend on nothing but the schedule, the zone and the moment."""

    def __init__(self, schedule: Schedule, zone: ZoneInfo, holidays: HolidayCalendar | None = None) -> None:
        """Take a schedule, the zone its times are in, and the holidays it goes by."""
        self._schedule = schedule
        self._zone = zone
        self._holidays = holidays
        self._days: dict[date, tuple[_Segment, ...]] = {}
        self._ready: date | None = None
        self._preparing = Lock()

    @classmethod
    def of(cls, schedule: Schedule, timezone: str) -> Self:
        """Return a character's timetable, with the holidays its schedule names.

        Raises:
            FactsError: the zone or the place of the holidays does not exist.
        """
        holidays = HolidayCalendar.of(schedule.holidays) if schedule.holidays else None
        return cls(schedule, find_zone(timezone), holidays)

    @property
    def zone(self) -> ZoneInfo:
        """The zone the schedule is in."""
        return self._zone

    def holiday_on(self, day: date) -> Holiday | None:
        """Return the public holiday of a day where the schedule goes by holidays."""
        return None if self._holidays is None else self._holidays.on(day)

    def is_exceptional(self, day: date) -> bool:
        """Return whether a dated exception changes a day of the week's schedule."""
        return is_exceptional(self._schedule, day)

    def is_ready(self, moment: datetime) -> bool:
        """Return whether every day that an answer about an aware moment may look at is worked out."""
        day = day_of(moment, self._zone)
        if day != self._ready and all(near in self._days for near in _days_around(day)):
            self._ready = day
        return day == self._ready

    def prepare(self, moment: datetime) -> None:
        """Work out every day that an answer about an aware moment may look at. Threads may do so at the same time."""
        with self._preparing:
            for day in _days_around(day_of(moment, self._zone)):
                self._segments(day)

    def at(self, moment: datetime) -> ScheduleState:
        """Return what the character does at an aware moment, since when and until when, and what comes next."""
        moment = moment.astimezone(UTC)
        day = day_of(moment, self._zone)
        segments = self._segments(day)
        index = bisect_right(segments, moment, key=lambda segment: segment.start) - 1
        name = segments[index].activity
        ends, upcoming = self._what_follows(day, index)
        return ScheduleState(
            observed_at=moment,
            activity=None if name is None else self._schedule.activities[name],
            began=self._began(day, index),
            ends=ends,
            upcoming=upcoming,
        )

    def stretches(self, first: date, days: int) -> Iterator[Stretch]:
        """Yield everything on `days` days from `first` on, in order, beginning with what goes on as that day begins."""
        moment, end = midnight(first, self._zone), midnight(first + timedelta(days=days), self._zone)
        segments = chain.from_iterable(self._segments(first + number * _DAY) for number in range(days))
        for name, unbroken in groupby(segments, key=lambda segment: segment.activity):
            *_, last = unbroken
            # Only what goes on as the first day begins, or as the last one ends, reaches beyond what was walked.
            start = self.at(moment).began or moment if moment == midnight(first, self._zone) else moment
            moment = self.at(last.start).ends or end if last.end == end else last.end
            day = day_of(start, self._zone)
            activity = None if name is None else self._schedule.activities[name]
            yield Stretch(day=day, start=start, end=moment, activity=activity, holiday=self.holiday_on(day))

    def _began(self, day: date, index: int) -> datetime | None:
        before = reversed(self._segments(day)[: index + 1])
        began, name = None, self._segments(day)[index].activity
        for segment in chain(before, self._backwards(day)):
            if segment.activity != name:
                return began
            began = segment.start
        return None

    def _what_follows(self, day: date, index: int) -> tuple[datetime | None, Upcoming | None]:
        current, *rest = self._segments(day)[index:]
        ends = None
        for segment in chain(rest, self._forwards(day)):
            if ends is None and segment.activity == current.activity:
                continue
            ends = ends or segment.start
            if segment.activity is not None:
                return ends, Upcoming(activity=self._schedule.activities[segment.activity], begins=segment.start)
        return ends, None

    def _forwards(self, day: date) -> Iterator[_Segment]:
        for distance in range(1, HORIZON_DAYS + 1):
            yield from self._segments(day + distance * _DAY)

    def _backwards(self, day: date) -> Iterator[_Segment]:
        for distance in range(1, HORIZON_DAYS + 1):
            yield from reversed(self._segments(day - distance * _DAY))

    def _segments(self, day: date) -> tuple[_Segment, ...]:
        known = self._days.get(day)
        if known is None:
            known = self._work_out(day)
            if len(self._days) >= _KEPT_DAYS:
                self._ready = None
                for oldest in list(self._days)[: _KEPT_DAYS // 2]:
                    self._days.pop(oldest, None)
            self._days[day] = known
        return known

    def _work_out(self, day: date) -> tuple[_Segment, ...]:
        start, end = midnight(day, self._zone), midnight(day + _DAY, self._zone)
        found = [o for o in self._occurrences(day, start, end) if o.start < end and o.end > start and o.start < o.end]
        edges = {start, end}.union(*((max(start, o.start), min(end, o.end)) for o in found))
        segments: list[_Segment] = []
        for left, right in pairwise(sorted(edges)):
            holding = max((o for o in found if o.start <= left < o.end), key=lambda o: o.rank, default=None)
            name = holding.activity if holding else None
            if segments and segments[-1].activity == name:
                segments[-1] = _Segment(segments[-1].start, right, name)
            else:
                segments.append(_Segment(left, right, name))
        return tuple(segments)

    def _occurrences(self, day: date, start: datetime, end: datetime) -> Iterator[Occurrence]:
        # Nothing lasts longer than from a time of day to the same time of the next day.
        for begun in (day - _DAY, day):
            is_holiday = self.holiday_on(begun) is not None
            yield from occurrences_on(self._schedule, begun, self._zone, is_holiday=is_holiday)
        if self._schedule.calendar is not None:
            yield from self._schedule.calendar.overlapping(start, end)


def _days_around(day: date) -> Iterator[date]:
    return (day + distance * _DAY for distance in range(-HORIZON_DAYS, HORIZON_DAYS + 1))
