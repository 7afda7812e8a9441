"""What a week with its dated exceptions and holidays makes of one day."""

from collections.abc import Iterator
from datetime import date, timedelta
from zoneinfo import ZoneInfo

from core.characters.pack import EVERY_ACTIVITY, DatedException, HolidayRule, Schedule, Span, WeeklyEntry
from core.facts.schedule.occurrence import Occurrence
from core.facts.schedule.wall import first_moment

_DAY = timedelta(days=1)


def is_exceptional(schedule: Schedule, day: date) -> bool:
    """Return whether a dated exception changes a day."""
    return any(_is_on(exception, day) for exception in schedule.exceptions)


def occurrences_on(schedule: Schedule, day: date, zone: ZoneInfo, *, is_holiday: bool) -> Iterator[Occurrence]:
    """Yield what begins on a day by the date on the clock; some of it may have no length (see `first_moment`)."""
    exceptions = [exception for exception in schedule.exceptions if _is_on(exception, day)]
    cancelled = frozenset[str]().union(*(exception.cancel for exception in exceptions))
    for order, entry in enumerate(schedule.weekly):
        if _takes_place(entry, day, is_holiday) and not cancelled & {entry.span.activity, EVERY_ACTIVITY}:
            yield _occurrence(entry.span, day, zone, order)
    added = (span for exception in exceptions for span in exception.add)
    for order, span in enumerate(added):
        yield _occurrence(span, day, zone, order, is_exception=True)


def _is_on(exception: DatedException, day: date) -> bool:
    return (exception.month, exception.day) == (day.month, day.day) and exception.year in {None, day.year}


def _takes_place(entry: WeeklyEntry, day: date, is_holiday: bool) -> bool:
    is_its_day = day.weekday() in entry.days
    if not is_holiday:
        return is_its_day and entry.on_holidays is not HolidayRule.ONLY
    return entry.on_holidays is HolidayRule.ALSO or (is_its_day and entry.on_holidays is not HolidayRule.SKIP)


def _occurrence(span: Span, day: date, zone: ZoneInfo, order: int, *, is_exception: bool = False) -> Occurrence:
    last_day = day + _DAY if span.crosses_midnight else day
    return Occurrence(
        activity=span.activity,
        start=first_moment(day, span.start, zone),
        end=first_moment(last_day, span.end, zone),
        priority=span.priority,
        is_exception=is_exception,
        order=order,
    )
