"""Days, months and seasons that a claim may name, and whether a moment is in them."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from types import MappingProxyType

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_FRIDAY = 4
# When people begin to speak of the weekend on a Friday.
_WEEKEND_BEGINS = 15
_SEVERAL: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "weekday": frozenset(WEEKDAYS[:5]),
        "midweek": frozenset(WEEKDAYS[1:4]),
        "weekend": frozenset(WEEKDAYS[5:]),
    }
)
# By season of the northern half of the earth, as widely as people speak of it.
SEASONS: Mapping[str, str] = MappingProxyType(
    {"spring": "02-01/06-10", "summer": "05-15/10-05", "autumn": "08-20/12-15", "winter": "11-05/03-31"}
)
_OTHER_HALF: Mapping[str, str] = MappingProxyType(
    {"spring": "autumn", "summer": "winter", "autumn": "spring", "winter": "summer"}
)
# Zones south of the equator that have the seasons the other way round, by how their names begin.
_SOUTHERN = (
    "Australia/", "Antarctica/", "America/Argentina/", "America/Buenos_Aires", "America/Sao_Paulo", "America/Santiago",
    "America/Montevideo", "America/Asuncion", "America/La_Paz", "America/Lima", "Africa/Johannesburg", "Africa/Maputo",
    "Africa/Harare", "Africa/Windhoek", "Africa/Gaborone", "Indian/Mauritius", "Indian/Antananarivo",
    "Pacific/Auckland", "Pacific/Chatham", "Pacific/Fiji", "Pacific/Tongatapu", "Pacific/Noumea", "NZ",
)  # fmt: skip


def is_day(value: str, now: datetime) -> bool:
    """Return whether a moment is on a weekday or one of several (with commas, `weekend`, `weekday`, `midweek`)."""
    if value == "weekend" and now.weekday() == _FRIDAY and now.hour >= _WEEKEND_BEGINS:
        return True
    return WEEKDAYS[now.weekday()] in _SEVERAL.get(value, value.split(","))


def is_date(value: str, now: datetime) -> bool:
    """Return whether a moment is on a date, or within a span of dates, a month or a season; see `TimeClaim`."""
    if value in SEASONS:
        value = SEASONS[_OTHER_HALF[value] if _is_southern(now) else value]
    return any(_is_in(span, now) for span in value.split(","))


def has_year(value: str) -> bool:
    """Return whether a date is told with its year (`2026-11-30`)."""
    return value[:4].isdecimal()


def nearest_day(is_meant: Callable[[datetime], bool], now: datetime) -> datetime:
    """Return the day closest to now that is meant; the later one of two, and now itself if there is none in a year."""
    nearby = (now + timedelta(days=offset) for distance in range(367) for offset in (distance, -distance))
    return next((day for day in nearby if is_meant(day)), now)


def _is_in(span: str, now: datetime) -> bool:
    if has_year(span):
        return span == f"{now:%Y-%m-%d}"
    span, _, day = span.partition("@")
    if day and WEEKDAYS[now.weekday()] != day:
        return False
    start, _, end = span.partition("/")
    if start.endswith("-*"):
        return f"{now:%m}" == start[:2]
    today = f"*-{now:%d}" if start.startswith("*") else f"{now:%m-%d}"
    if not end:
        return start == today
    return start <= today <= end if start <= end else today >= start or today <= end


def _is_southern(now: datetime) -> bool:
    return str(now.tzinfo).startswith(_SOUTHERN)
