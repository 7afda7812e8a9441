"""What an event of a calendar file says of an activity: its id, its texts, its tags, its priority."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from icalendar import Event

from core.errors import Problem
from core.values import Locale
from data.packs.fields import check_activity_text, check_id
from data.packs.ical_lines import EventLines

ACTIVITY_PROPERTY = "X-YORISOI-ACTIVITY"
TEXT_PROPERTIES = {locale: f"X-YORISOI-TEXT-{locale.upper()}" for locale in Locale}
_LONGEST_TEXT = 120
_NOT_FOR_IDS = re.compile(r"[^a-z0-9]+")
_TOO_OFTEN = {"SECONDLY", "MINUTELY", "HOURLY"}
_ONCE = ("DTSTART", "DTEND", "DURATION", "UID", "RECURRENCE-ID", "RRULE", ACTIVITY_PROPERTY)
_RECURRENCE = ("RRULE", "RDATE", "EXDATE", "RECURRENCE-ID")
_TIMED = ("DTSTART", "DTEND", "RECURRENCE-ID", "EXDATE", "RDATE")


@dataclass(frozen=True, slots=True, kw_only=True)
class EventEntry:
    """An event with the place it stands in. `texts` are by locale, under None where no language is given."""

    event: Event
    lines: EventLines
    label: str
    uid: str
    texts: dict[Locale | None, str]

    @property
    def is_override(self) -> bool:
        """Whether it stands for one occurrence of another event of the same UID."""
        return "RECURRENCE-ID" in self.event

    @property
    def recurs(self) -> bool:
        """Whether it may stand for more than one time."""
        return any(name in self.event for name in _RECURRENCE)

    def problem(self, file: str, name: str, message: str) -> Problem:
        """Return a problem with one of the event's properties."""
        return Problem(file, self.lines[name], f"{self.label}: {message}")


def read_entry(event: Event, lines: EventLines) -> EventEntry:
    """Return an event with what names it."""
    uid, texts = str(event.get("UID", "")), _texts(event)
    title = next(iter(texts.values()), "") or uid or "without a name"
    return EventEntry(event=event, lines=lines, label=f"event '{title}'", uid=uid, texts=texts)


def entry_problems(entry: EventEntry, file: str) -> Iterator[Problem]:
    """Yield what is wrong with an event by itself."""
    event = entry.event
    for name, message in event.errors:
        yield entry.problem(file, str(name).upper(), f"{name or 'a line'} can't be read: {message}")
    for name in _ONCE:
        if isinstance(event.get(name), list):
            yield entry.problem(file, name, f"{name} stands there more than once")
    for name in ("UID", "DTSTART"):
        if name not in event:
            yield entry.problem(file, name, f"{name} is missing; add it")
    if not entry.texts and not entry.is_override:
        yield entry.problem(file, "BEGIN", "has no title; give it SUMMARY, or X-YORISOI-TEXT-JA and X-YORISOI-TEXT-EN")
    yield from _value_problems(entry, file)


def time_problems(entry: EventEntry, file: str) -> Iterator[Problem]:
    """Yield what is wrong with the times of an event that can be read."""
    faults = [*_moment_problems(entry, file)]
    yield from faults or _length_problems(entry, file)
    for rule in _values(entry.event, "RRULE"):
        frequencies = {str(found).upper() for found in rule.get("FREQ", [])}
        if not frequencies:
            yield entry.problem(file, "RRULE", "RRULE has no FREQ; an example is RRULE:FREQ=WEEKLY;BYDAY=MO")
        elif frequencies & _TOO_OFTEN:
            yield entry.problem(file, "RRULE", "RRULE repeats more often than daily; write one event for each time")
        if any(int(interval) < 1 for interval in rule.get("INTERVAL", [])):
            yield entry.problem(file, "RRULE", "the INTERVAL of RRULE must be 1 or more")


def own_id(entry: EventEntry) -> str | None:
    """Return the activity's id that the event gives itself."""
    value = value_of(entry.event, ACTIVITY_PROPERTY)
    return None if value is None else str(value).strip()


def id_from_uid(uid: str) -> str:
    """Return an activity's id made of an event's UID."""
    return _NOT_FOR_IDS.sub("-", uid.lower()).strip("-")[:48].rstrip("-") or "event"


def tags_of(event: Event) -> tuple[str, ...]:
    """Return the event's categories."""
    return tuple(str(tag) for value in _values(event, "CATEGORIES") for tag in value.cats if str(tag).strip())


def priority_of(event: Event) -> int:
    """Return the priority: PRIORITY counts from 1, the highest, to 9; without it (or with 0) an event is in between."""
    value = int(value_of(event, "PRIORITY") or 0)
    return 5 - value if value else 0


def text_problem(text: str) -> str | None:
    """Return what is wrong with an activity's text."""
    if len(text) > _LONGEST_TEXT:
        return f"its title is too long: at most {_LONGEST_TEXT} characters"
    try:
        check_activity_text(text)
    except ValueError as error:
        return f"its title {error}"
    return None


def _value_problems(entry: EventEntry, file: str) -> Iterator[Problem]:
    for text in dict.fromkeys(entry.texts.values()):
        if message := text_problem(text):
            name = next((name for name in TEXT_PROPERTIES.values() if str(entry.event.get(name)) == text), "SUMMARY")
            yield entry.problem(file, name, message)
    activity = own_id(entry)
    if activity is not None:
        try:
            check_id(activity)
        except ValueError as error:
            yield entry.problem(file, ACTIVITY_PROPERTY, f"{ACTIVITY_PROPERTY} {error}")
    priority = value_of(entry.event, "PRIORITY") or 0
    if not isinstance(priority, int) or not 0 <= priority <= 9:
        yield entry.problem(file, "PRIORITY", "PRIORITY must be from 0 to 9")


def _moment_problems(entry: EventEntry, file: str) -> Iterator[Problem]:
    for name in _TIMED:
        for value in _values(entry.event, name):
            found = [item.dt for item in value.dts] if hasattr(value, "dts") else [value.dt]
            moments = [item[0] if isinstance(item, tuple) else item for item in found]
            zone = value.params.get("TZID")
            if not all(isinstance(moment, date) for moment in moments):
                message = f"{name} must be a day like 20260105 or a time of a day like 20260105T090000"
                yield entry.problem(file, name, message)
            elif zone and any(isinstance(moment, datetime) and moment.tzinfo is None for moment in moments):
                message = f"{name} names a time zone '{zone}' that does not exist; an example is 'Asia/Tokyo'"
                yield entry.problem(file, name, message)


def _length_problems(entry: EventEntry, file: str) -> Iterator[Problem]:
    event = entry.event
    start: date = value_of(event, "DTSTART").dt
    if "DTEND" not in event and "DURATION" not in event:
        if isinstance(start, datetime):
            yield entry.problem(file, "DTSTART", "has no length; give it DTEND or DURATION")
        return
    if "DTEND" not in event:
        if value_of(event, "DURATION").dt <= timedelta():
            yield entry.problem(file, "DURATION", "DURATION must be more than nothing")
        return
    end: date = value_of(event, "DTEND").dt
    if _kind(start) != _kind(end):
        yield entry.problem(file, "DTEND", "DTSTART and DTEND are not of the same kind (day, local time, UTC or zone)")
    elif end <= start:
        yield entry.problem(file, "DTEND", "DTEND is not after DTSTART")


def _kind(moment: date) -> str:
    if not isinstance(moment, datetime):
        return "day"
    return "local" if moment.tzinfo is None else "absolute"


def _texts(event: Event) -> dict[Locale | None, str]:
    texts: dict[Locale | None, str] = {}
    for summary in _values(event, "SUMMARY"):
        language = str(summary.params.get("LANGUAGE", "")).lower().partition("-")[0]
        locale = next((locale for locale in Locale if locale.value == language), None)
        if str(summary).strip() and (locale is not None or not language):
            texts.setdefault(locale, str(summary).strip())
    for locale, name in TEXT_PROPERTIES.items():
        text = next((str(value).strip() for value in _values(event, name)), "")
        if text:
            texts[locale] = text
    return texts


def value_of(event: Event, name: str) -> Any:  # noqa: ANN401 - a property's type depends on its name
    """Return a property's value as the library holds it, None where the event has none."""
    return event.get(name)


def _values(event: Event, name: str) -> list[Any]:
    value = value_of(event, name)
    if value is None:
        return []
    return value if isinstance(value, list) else [value]
