"""A slow and obvious reference: paints every minute of a stretch of days, entry by entry, on what clocks show.

Nothing here is shared with the engine: the clock is walked minute by minute, and a wall time is looked up on it.
"""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import accumulate
from zoneinfo import ZoneInfo

from core.characters.pack import HolidayRule, Schedule, Span

MINUTE = timedelta(minutes=1)
DAY = timedelta(days=1)


@dataclass
class Answer:
    activity: str | None
    began: datetime | None
    ends: datetime | None
    upcoming: tuple[str, datetime] | None


class Painting:
    """Every minute from the first day to the last, with what holds in it."""

    def __init__(self, schedule: Schedule, zone: ZoneInfo, first: date, days: int, holidays: frozenset[date]) -> None:
        self._start = datetime.combine(first - 2 * DAY, time(), tzinfo=UTC)
        self.first = first
        minutes = (days + 4) * 24 * 60
        shown = [self.moment(index).astimezone(zone).replace(tzinfo=None) for index in range(minutes)]
        # The latest time any clock has shown so far: looking for the first minute that shows a time or a later one.
        self._latest = list(accumulate(shown, max))
        self._colours: list[tuple[tuple[int, bool, datetime, int], str] | None] = [None] * minutes
        for offset in range(-1, days):
            self._paint_day(schedule, first + offset * DAY, holidays)

    def moment(self, index: int) -> datetime:
        return self._start + index * MINUTE

    def index(self, moment: datetime) -> int:
        return (moment - self._start) // MINUTE

    def first_minute(self, day: date, at: time = time()) -> int:
        return bisect_left(self._latest, datetime.combine(day, at))

    def day_of(self, index: int) -> date:
        return self._latest[index].date()

    def colour(self, index: int) -> str | None:
        colour = self._colours[index]
        return colour[1] if colour else None

    def colours(self, start: int, end: int) -> set[str | None]:
        return {colour[1] if colour else None for colour in set(self._colours[start:end])}

    def answer(self, index: int, horizon: int) -> Answer:
        """Walk from minute to minute until something changes."""
        day = self.day_of(index)
        first, last = self.first_minute(day - horizon * DAY), self.first_minute(day + (horizon + 1) * DAY)
        name = self.colour(index)
        began = next((i + 1 for i in range(index, first - 1, -1) if self.colour(i) != name), None)
        ends = next((i for i in range(index, last) if self.colour(i) != name), None)
        following = None if ends is None else next((i for i in range(ends, last) if self.colour(i)), None)
        return Answer(
            activity=name,
            began=None if began is None else self.moment(began),
            ends=None if ends is None else self.moment(ends),
            upcoming=None if following is None else (str(self.colour(following)), self.moment(following)),
        )

    def _paint_day(self, schedule: Schedule, day: date, holidays: frozenset[date]) -> None:
        for order, (span, is_exception) in enumerate(_spans(schedule, day, day in holidays)):
            start = self.first_minute(day, span.start)
            end = self.first_minute(day + DAY if span.end <= span.start else day, span.end)
            rank = (span.priority, is_exception, self.moment(start), -order)
            for index in range(start, end):
                painted = self._colours[index]
                if painted is None or painted[0] < rank:
                    self._colours[index] = (rank, span.activity)


def _spans(schedule: Schedule, day: date, is_holiday: bool) -> Iterator[tuple[Span, bool]]:
    exceptions = [
        e for e in schedule.exceptions if e.year in (None, day.year) and (e.month, e.day) == (day.month, day.day)
    ]
    for entry in schedule.weekly:
        if entry.on_holidays is HolidayRule.IGNORE:
            takes_place = day.weekday() in entry.days
        elif entry.on_holidays is HolidayRule.SKIP:
            takes_place = day.weekday() in entry.days and not is_holiday
        elif entry.on_holidays is HolidayRule.ALSO:
            takes_place = day.weekday() in entry.days or is_holiday
        else:
            takes_place = day.weekday() in entry.days and is_holiday
        if takes_place and not any("*" in e.cancel or entry.span.activity in e.cancel for e in exceptions):
            yield entry.span, False
    for exception in exceptions:
        for span in exception.add:
            yield span, True
