"""Field types of pack files. Each refusal says what would be right."""

import re
from datetime import date, datetime, time
from difflib import get_close_matches
from typing import Annotated
from zoneinfo import ZoneInfo, available_timezones

from pydantic import AfterValidator, PlainValidator, StringConstraints

from core.characters.pack import TimeRange, Weekday
from core.facts.capsule.kept import names_a_clock
from core.facts.errors import FactsError
from core.facts.schedule.holidays import check_place
from core.values import Locale
from data.packs.passed import is_known_to_pass

_CLOCK = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")
_YEARLY = re.compile(r"(\d{2})-(\d{2})")
_LEAP_YEAR = 2000
_PACK_NAME = re.compile(r"[a-z][a-z0-9-]{0,31}")
_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,47}")
_ENVIRONMENT_NAME = re.compile(r"[A-Z][A-Z0-9_]{0,99}")

# Year (None: every year), month, day.
CalendarDay = tuple[int | None, int, int]


def parse_time(value: object) -> time:
    """Return a time of day from "HH:MM" or a TOML time."""
    if isinstance(value, time):
        return value.replace(second=0, microsecond=0)
    match = _CLOCK.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise ValueError('must be a time from "00:00" to "23:59" in quotes, like "07:30"; midnight is "00:00"')
    return time(int(match[1]), int(match[2]))


def parse_range(value: object) -> TimeRange:
    """Return a part of the day from "HH:MM-HH:MM"."""
    parts = value.split("-") if isinstance(value, str) else []
    if len(parts) != 2:
        raise ValueError('must be a part of the day in quotes, like "09:00-12:30"')
    start, end = (parse_time(part.strip()) for part in parts)
    if start == end:
        raise ValueError("begins and ends at the same time; give it a length")
    return TimeRange(start=start, end=end)


def parse_day(value: object) -> Weekday:
    """Return a weekday from its English name or the first three letters of it."""
    name = value.strip().lower() if isinstance(value, str) else ""
    for day in Weekday:
        if name in {day.name.lower(), _FULL_NAMES[day]}:
            return day
    raise ValueError("must be one of " + ", ".join(f'"{day.name.lower()}"' for day in Weekday))


def parse_calendar_day(value: object) -> CalendarDay:
    """Return a date, or a day of every year from "MM-DD"."""
    if isinstance(value, date) and not isinstance(value, datetime):
        return value.year, value.month, value.day
    yearly = _YEARLY.fullmatch(value) if isinstance(value, str) else None
    try:
        if yearly:
            day = date(_LEAP_YEAR, int(yearly[1]), int(yearly[2]))
            return None, day.month, day.day
        day = date.fromisoformat(value if isinstance(value, str) else "")
    except ValueError:
        raise ValueError('must be a date like 2027-03-21, or a day of every year in quotes, like "12-31"') from None
    return day.year, day.month, day.day


def check_timezone(name: str) -> str:
    """Return the name of a time zone of the IANA database."""
    try:
        ZoneInfo(name)
    except (ValueError, OSError, LookupError):
        near = get_close_matches(name, available_timezones(), n=1, cutoff=0.6)
        hint = f' (did you mean "{near[0]}"?)' if near else ""
        raise ValueError(f'is not a time zone of the IANA database{hint}; an example is "Asia/Tokyo"') from None
    return name


def check_token_env(name: str) -> str:
    """Return the name of an environment variable. What was given is never repeated: it may be a token."""
    if not _ENVIRONMENT_NAME.fullmatch(name):
        raise ValueError(
            'must be the NAME of the environment variable that holds the token, like "YORISOI_HINATA_TOKEN"; '
            "never write the token itself into a pack"
        )
    return name


def check_pack_name(name: str) -> str:
    """Return a pack's name."""
    if not _PACK_NAME.fullmatch(name):
        raise ValueError("must be at most 32 of a-z, 0-9 and -, beginning with a letter")
    return name


def check_id(name: str) -> str:
    """Return an id of an activity or a candidate."""
    if not _ID.fullmatch(name):
        raise ValueError("must be at most 48 of a-z, 0-9 and -, beginning with a letter or digit")
    return name


def check_activity_text(text: str) -> str:
    """Return an activity's text: it is told beside the one clock there is, and so must not name another time."""
    if not is_known_to_pass("clock", text) and names_a_clock(text):
        raise ValueError("names a time on the clock; the program tells how long, never when: leave the time out")
    return text


def check_holidays(place: str) -> str:
    """Return a place whose public holidays are known."""
    try:
        check_place(place)
    except FactsError as error:
        raise ValueError(str(error).removeprefix(f"'{place}' ")) from None
    return place


_FULL_NAMES = dict(
    zip(Weekday, ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"), strict=True)
)

ClockTime = Annotated[time, PlainValidator(parse_time)]
DayPart = Annotated[TimeRange, PlainValidator(parse_range)]
Day = Annotated[Weekday, PlainValidator(parse_day)]
ExceptionDay = Annotated[CalendarDay, PlainValidator(parse_calendar_day)]
TimeZone = Annotated[str, AfterValidator(check_timezone)]
TokenEnv = Annotated[str, AfterValidator(check_token_env)]
PackName = Annotated[str, AfterValidator(check_pack_name)]
Id = Annotated[str, AfterValidator(check_id)]
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=32)]
ShortText = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=120)]
Introduction = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=1000)]
Opener = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=300)]
Key = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]
LoreText = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=20_000)]
ActivityText = Annotated[ShortText, AfterValidator(check_activity_text)]
Place = Annotated[str, AfterValidator(check_holidays)]
LocalisedName = dict[Locale, Name]
LocalisedText = dict[Locale, ActivityText]
LocalisedIntroduction = dict[Locale, Introduction]
