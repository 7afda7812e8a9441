"""A week must be tellable: every moment has one activity at most, and every name means something."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise

from core.characters.pack import EVERY_ACTIVITY, HolidayRule, Weekday
from core.errors import Problem
from core.toml_lines import Path
from data.packs.explain import valid_items
from data.packs.files import TomlFile
from data.packs.schema import ExceptionTable, SpanTable, WeeklyTable

_DAY = 24 * 60
_WEEK = 7 * _DAY

WeeklyItem = tuple[Path, WeeklyTable]
ExceptionItem = tuple[Path, ExceptionTable]


def check_schedule(file: TomlFile) -> tuple[list[Problem], list[Problem]]:
    """Return the problems and the warnings of a schedule, as far as its entries are valid by themselves."""
    weekly = list(valid_items(WeeklyTable, file.data.get("weekly"), "weekly"))
    exceptions = list(valid_items(ExceptionTable, file.data.get("exception"), "exception"))
    problems = [
        *_unknown_activities(file, weekly, exceptions),
        *_overlaps_of_one_activity(file, weekly),
        *_ties(file, weekly),
        *_exception_problems(file, exceptions),
        *_holidays_of_nowhere(file, weekly),
    ]
    return problems, list(_unused_activities(file, weekly, exceptions))


def known_activities(file: TomlFile) -> frozenset[str]:
    """Return the ids of a schedule's activities, valid or not."""
    activities = file.data.get("activity")
    return frozenset(activities) if isinstance(activities, dict) else frozenset()


def _spans(weekly: list[WeeklyItem], exceptions: list[ExceptionItem]) -> Iterator[tuple[Path, SpanTable]]:
    yield from weekly
    for path, exception in exceptions:
        for index, span in enumerate(exception.add):
            yield (*path, "add", index), span


def _unknown_activities(file: TomlFile, weekly: list[WeeklyItem], exceptions: list[ExceptionItem]) -> Iterator[Problem]:
    known = known_activities(file)
    for path, span in _spans(weekly, exceptions):
        if span.activity not in known:
            yield file.problem((*path, "activity"), f"there is no [activity.{span.activity}]; add it or correct the id")
    for path, exception in exceptions:
        for index, name in enumerate(exception.cancel):
            if name != EVERY_ACTIVITY and name not in known:
                message = f"'cancel' names '{name}', but there is no such activity; '{EVERY_ACTIVITY}' means all"
                yield file.problem((*path, "cancel", index), message)


def _unused_activities(file: TomlFile, weekly: list[WeeklyItem], exceptions: list[ExceptionItem]) -> Iterator[Problem]:
    used = {span.activity for _, span in _spans(weekly, exceptions)}
    for name in sorted(known_activities(file) - used):
        yield file.problem(("activity", name), f"activity '{name}' never takes place")


def _overlaps_of_one_activity(file: TomlFile, weekly: list[WeeklyItem]) -> Iterator[Problem]:
    """Two spans of the same activity at once are a slip: by themselves they could be one span."""
    spans = defaultdict(list)
    for path, entry in weekly:
        for is_holiday in (False, True):
            for start, end in _minutes(entry, is_holiday=is_holiday):
                spans[entry.activity, is_holiday].append((start, end, path))
    reported = set()
    for (activity, _), found in spans.items():
        found.sort()
        around = [*found, *((start + _WEEK, end + _WEEK, path) for start, end, path in found[:1])]
        for (_, end, first), (start, _, second) in pairwise(around):
            if start < end and (first, second) not in reported:
                reported.add((first, second))
                message = f"'{activity}' overlaps itself: see the entry on line {file.lines[first]}"
                yield file.problem(second, message)


def _ties(file: TomlFile, weekly: list[WeeklyItem]) -> Iterator[Problem]:
    """Of two spans with the same start and priority nobody could say which one holds."""
    seen: dict[tuple[int, int, bool], tuple[Path, str]] = {}
    reported = set()
    for path, entry in weekly:
        kinds = [(start, kind) for kind in (False, True) for start, _ in _minutes(entry, is_holiday=kind)]
        for start, is_holiday in kinds:
            other, activity = seen.setdefault((start, entry.priority, is_holiday), (path, entry.activity))
            if activity != entry.activity and (other, path) not in reported:
                reported.add((other, path))
                message = (
                    f"begins at the same time as '{activity}' on line {file.lines[other]} with the same priority; "
                    "give one of them a higher 'priority'"
                )
                yield file.problem((*path, "start"), f"'{entry.activity}' {message}")


def _exception_problems(file: TomlFile, exceptions: list[ExceptionItem]) -> Iterator[Problem]:
    seen: dict[tuple[int | None, int, int], Path] = {}
    for path, exception in exceptions:
        first = seen.setdefault(exception.date, path)
        if first != path:
            yield file.problem((*path, "date"), f"this date stands on line {file.lines[first]} already; join the two")
        if not exception.cancel and not exception.add:
            yield file.problem(path, "this exception changes nothing; give it 'cancel' or [[exception.add]]")


def _holidays_of_nowhere(file: TomlFile, weekly: list[WeeklyItem]) -> Iterator[Problem]:
    for path, entry in weekly:
        if entry.on_holidays is not HolidayRule.IGNORE and "holidays" not in file.data:
            message = "'on_holidays' needs a country; put holidays = \"JP\" (or another) at the top of the file"
            yield file.problem((*path, "on_holidays"), message)


def _days(entry: WeeklyTable, *, is_holiday: bool) -> Iterable[Weekday]:
    """Return the days it takes place on, of those that are holidays or of those that are not."""
    if entry.on_holidays is (HolidayRule.SKIP if is_holiday else HolidayRule.ONLY):
        return ()
    return Weekday if is_holiday and entry.on_holidays is HolidayRule.ALSO else entry.days


def _minutes(entry: WeeklyTable, *, is_holiday: bool) -> Iterator[tuple[int, int]]:
    """Yield where the entry's spans begin and end, in minutes of the week; an end may lie in the next week."""
    for day in _days(entry, is_holiday=is_holiday):
        start = day * _DAY + entry.start.hour * 60 + entry.start.minute
        length = (entry.end.hour * 60 + entry.end.minute - entry.start.hour * 60 - entry.start.minute) % _DAY or _DAY
        yield start, start + length
