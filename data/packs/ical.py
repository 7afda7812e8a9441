"""A character's schedule from an iCalendar file (RFC 5545). docs/schedule.md tells which properties mean what."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import groupby
from zoneinfo import ZoneInfo

from icalendar import Calendar, Component, Event
from recurring_ical_events import of  # type: ignore[import-untyped]

from core.characters.pack import Activity, Schedule
from core.errors import Problem
from core.facts.errors import FactsError
from core.facts.schedule.holidays import check_place
from core.facts.schedule.occurrence import Occurrence
from core.values import Locale
from data.packs.files import PackFolder
from data.packs.ical_events import (
    EventEntry,
    entry_problems,
    id_from_uid,
    own_id,
    read_entry,
    tags_of,
    time_problems,
    value_of,
)
from data.packs.ical_lines import scan
from data.packs.ical_occurrences import ENTRY_PROPERTY, MARGIN, CalendarOccurrences, EventReading

HOLIDAYS_PROPERTY = "X-YORISOI-HOLIDAYS"
_TRIED = timedelta(days=800)
_MOST_EVENTS = 5000


@dataclass(frozen=True, slots=True, kw_only=True)
class CalendarFile:
    """A calendar file that was read: the schedule it makes, and the line of each activity."""

    name: str
    schedule: Schedule
    lines: dict[str, int]


def read_calendar(folder: PackFolder, file: str, zone: ZoneInfo) -> CalendarFile | None:
    """Return a calendar file's schedule, or None with every fault among the folder's problems.

    Local times and days are in `zone`, the character's.
    """
    text = folder.read_text(file)
    if text is None:
        return None
    label = folder.label(file)
    before = len(folder.problems)
    calendar, entries = _parse(text, label, folder.problems)
    if calendar is None:
        return None
    holidays = _holidays(calendar, text, label, folder.problems)
    if len(folder.problems) > before:
        return None
    activities, ids = _activities(entries, label, folder.problems)
    occurrences = _occurrences(calendar, entries, EventReading(activities=ids, zone=zone), label, folder.problems)
    if len(folder.problems) > before:
        return None
    schedule = Schedule(activities=activities, holidays=holidays, calendar=occurrences)
    lines: dict[str, int] = {}
    for name, entry in zip(ids, entries, strict=True):
        lines.setdefault(name, entry.lines.start)
    return CalendarFile(name=label, schedule=schedule, lines=lines)


def _parse(text: str, label: str, problems: list[Problem]) -> tuple[Calendar | None, list[EventEntry]]:
    """Return the calendar with its events numbered."""
    lines = scan(text)
    problems.extend(Problem(label, number, message) for number, message in lines.faults)
    if lines.faults:
        return None, []
    try:
        calendar = Calendar.from_ical(text)
    except ValueError as error:
        # The library goes on with lines of the file.
        reason = str(error).partition("\n")[0].strip(" :")
        problems.append(Problem(label, 1, f"is not one calendar (BEGIN:VCALENDAR to END:VCALENDAR): {reason}"))
        return None, []
    events = [component for component in calendar.walk("VEVENT") if isinstance(component, Event)]
    if not events or len(events) > _MOST_EVENTS or len(events) != len(lines.events):
        message = f"holds {len(events)} events (BEGIN:VEVENT); it needs 1 to {_MOST_EVENTS}"
        problems.append(Problem(label, 1, message))
        return None, []
    entries = [read_entry(event, found) for event, found in zip(events, lines.events, strict=True)]
    for number, entry in enumerate(entries):
        faults = list(entry_problems(entry, label))
        problems.extend(faults or time_problems(entry, label))
        entry.event[ENTRY_PROPERTY] = str(number)
    return calendar, entries


def _activities(
    entries: list[EventEntry], label: str, problems: list[Problem]
) -> tuple[dict[str, Activity], list[str]]:
    """Return the activities, and which of them each event is."""
    activities: dict[str, Activity] = {}
    first: dict[str, EventEntry] = {}
    masters = {entry.uid: entry for entry in reversed(entries) if not entry.is_override}
    ids = []
    for entry in entries:
        activity = _activity(entry, masters.get(entry.uid, entry))
        ids.append(activity.id)
        known = activities.setdefault(activity.id, activity)
        other = first.setdefault(activity.id, entry)
        if known.text != activity.text:
            message = (
                f"is the activity '{activity.id}' like the event on line {other.lines.start}, but has another title; "
                "give one of them an X-YORISOI-ACTIVITY of its own"
            )
            problems.append(Problem(label, entry.lines.start, f"{entry.label}: {message}"))
    return activities, ids


def _activity(entry: EventEntry, master: EventEntry) -> Activity:
    texts = _by_locale(master.texts) | _by_locale(entry.texts)
    name = own_id(entry)
    if name is None:
        name = own_id(master) or id_from_uid(entry.uid)
        if entry.is_override and texts != _by_locale(master.texts):
            when: date = value_of(entry.event, "RECURRENCE-ID").dt
            name = f"{name[:39]}-{when:%Y%m%d}"
    return Activity(id=name, text=texts, tags=tags_of(entry.event) or tags_of(master.event))


def _by_locale(texts: dict[Locale | None, str]) -> dict[Locale, str]:
    """Return the text of each locale; a title without a language is every other locale's."""
    plain = texts.get(None)
    found = {locale: texts.get(locale, plain) for locale in Locale}
    return {locale: text for locale, text in found.items() if text is not None}


def _holidays(calendar: Calendar, text: str, label: str, problems: list[Problem]) -> str | None:
    value = calendar.get(HOLIDAYS_PROPERTY)
    if value is None:
        return None
    try:
        check_place(str(value))
    except FactsError as error:
        numbered = enumerate(text.splitlines(), 1)
        line = next((number for number, found in numbered if found.upper().startswith(HOLIDAYS_PROPERTY)), 1)
        problems.append(Problem(label, line, f"{HOLIDAYS_PROPERTY}: {error}"))
    return str(value)


def _occurrences(
    calendar: Calendar, entries: list[EventEntry], reading: EventReading, label: str, problems: list[Problem]
) -> CalendarOccurrences:
    """Sort the events by whether they recur.

    Each is tried with its overrides for the time after it begins: some rules only fail when they are followed.
    """
    zones = [component for component in calendar.subcomponents if component.name == "VTIMEZONE"]
    once: list[Occurrence] = []
    recurring = _calendar_of(zones)
    for _, group in groupby(sorted(entries, key=lambda entry: entry.uid), key=lambda entry: entry.uid):
        members = list(group)
        events = [entry.event for entry in members]
        start: date = value_of(events[0], "DTSTART").dt
        day = start.date() if isinstance(start, datetime) else start
        try:
            found = of(_calendar_of([*zones, *events])).between(day - MARGIN, day + _TRIED)
        except (ValueError, TypeError, OverflowError, AttributeError):
            # What the library says of it is about its own workings.
            message = "its recurrence can't be followed; check RRULE, RDATE and EXDATE"
            problems.append(members[0].problem(label, "RRULE", message))
            continue
        if len(members) == 1 and not members[0].recurs:
            once.extend(reading.occurrences(found))
        else:
            recurring.subcomponents.extend(events)
    return CalendarOccurrences(once=once, recurring=recurring, reading=reading)


def _calendar_of(components: Sequence[Component]) -> Calendar:
    calendar = Calendar()
    calendar.subcomponents = list(components)
    return calendar
