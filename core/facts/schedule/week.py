"""A schedule as rows for people and programs: what an operator looks at."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from core.facts.schedule.state import Stretch
from core.facts.schedule.timetable import Timetable
from core.facts.schedule.wall import day_of
from core.facts.world import date_in_words
from core.values import Locale


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleRow:
    """One stretch in the character's zone. `title` is None for empty time; `is_now`: the asked moment lies in it.

    `holiday` and `is_exception` (a dated exception changes it) are those of the day it begins on. `start` and `end` are
    aware; `ends_later`: how many days after its own it ends, `last_day_text`: on which.
    """

    day: date
    day_text: str
    holiday: str | None
    start: datetime
    end: datetime
    ends_later: int
    last_day_text: str
    activity: str | None
    title: str | None
    is_now: bool
    is_exception: bool

    def as_dict(self) -> dict[str, Any]:
        """Return the row as JSON values."""
        return {
            "date": self.day.isoformat(),
            "holiday": self.holiday,
            "exception": self.is_exception,
            "start": self.start.isoformat(),
            "end": self.end.isoformat(),
            "activity": self.activity,
            "text": self.title,
            "now": self.is_now,
        }


def schedule_rows(timetable: Timetable, *, at: datetime, days: int, locale: Locale) -> Iterator[ScheduleRow]:
    """Yield the stretches of `days` days, from the character's day that an aware moment lies in.

    The first row may have begun before that day. Raises ValueError for less than one day.
    """
    if days < 1:
        raise ValueError("a schedule is shown for at least one day")
    for stretch in timetable.stretches(day_of(at, timetable.zone), days):
        yield _row(stretch, timetable, at, locale)


def _row(stretch: Stretch, timetable: Timetable, at: datetime, locale: Locale) -> ScheduleRow:
    zone = timetable.zone
    last_day = day_of(stretch.end, zone)
    start, end = stretch.start.astimezone(zone), stretch.end.astimezone(zone)
    texts = stretch.activity.text if stretch.activity else {}
    return ScheduleRow(
        day=stretch.day,
        day_text=date_in_words(stretch.day, locale),
        holiday=stretch.holiday.name[locale] if stretch.holiday else None,
        start=start,
        end=end,
        ends_later=(last_day - stretch.day).days,
        last_day_text=date_in_words(last_day, locale),
        activity=stretch.activity.id if stretch.activity else None,
        title=texts.get(locale) or next(iter(texts.values()), None),
        is_now=stretch.start <= at < stretch.end,
        is_exception=timetable.is_exceptional(stretch.day),
    )
