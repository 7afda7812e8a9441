"""Whether claims about the present hold: tolerances and windows."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from types import MappingProxyType

from core.facts.time_claims.calendar import WEEKDAYS, has_year, is_date, is_day, nearest_day
from core.facts.time_claims.types import Approximation, ClaimKind, TimeClaim

_DAY = 24 * 60

_NIGHT_VALUES = frozenset({"night", "late_night", "midnight"})

# By hedge: how many minutes after the named time it may be, from and to (both included).
TOLERANCES: Mapping[Approximation | None, tuple[int, int]] = MappingProxyType(
    {
        None: (-10, 10),
        Approximation.PAST: (0, 40),
        Approximation.NEARLY: (-20, 0),
        Approximation.ABOUT: (-25, 25),
    }
)

# Minutes after midnight, both included; a window whose end is smaller runs across midnight.
WINDOWS: Mapping[str, tuple[int, int]] = MappingProxyType(
    {
        "early_morning": (3 * 60, 7 * 60),
        "morning": (4 * 60 + 30, 11 * 60 + 59),
        "noon": (11 * 60 + 20, 13 * 60 + 10),
        "afternoon": (12 * 60, 18 * 60),
        "evening": (16 * 60, 23 * 60 + 59),
        "night": (18 * 60, 4 * 60 + 30),
        "late_night": (22 * 60, 4 * 60 + 30),
        "midnight": (23 * 60 + 30, 30),
    }
)


def contradicts(claims: Iterable[TimeClaim], now: datetime) -> bool:
    """Return whether any claim is false at `now`, an aware time in the zone of the conversation."""
    claims = tuple(claims)
    return any(not holds(claim, now) for claim in claims if not _is_outdone(claim, claims))


def holds(claim: TimeClaim, now: datetime) -> bool:
    """Return whether one claim is true at `now` (a local time; seconds do not count)."""
    minute = now.hour * 60 + now.minute
    if claim.kind is ClaimKind.TIME and "/" in claim.value:
        return any(_is_within(minute, *span) for span in _spans(claim.value))
    if claim.kind is ClaimKind.TIME:
        return _is_time(claim, minute)
    if claim.kind is ClaimKind.WEEKDAY:
        return is_day(claim.value, now)
    if claim.kind is ClaimKind.DATE:
        return is_date(claim.value, now)
    return _is_within(minute, *WINDOWS[claim.value])


def nearest_reading(claim: TimeClaim, now: datetime) -> str:
    """Return one value of a claim: what it leaves open (half of the day, day, month) is taken as closest to `now`."""
    if claim.kind is ClaimKind.WEEKDAY:
        return WEEKDAYS[nearest_day(lambda day: is_day(claim.value, day), now).weekday()]
    if claim.kind is ClaimKind.DATE:
        if has_year(claim.value):
            return claim.value.partition("-")[2]
        return f"{nearest_day(lambda day: is_date(claim.value, day), now):%m-%d}"
    if claim.kind is ClaimKind.PART_OF_DAY:
        return claim.value
    minute = now.hour * 60 + now.minute
    closest = min(_readings(claim, minute), key=lambda reading: abs(_lag(minute, reading)))
    return f"{closest // 60:02}:{closest % 60:02}"


def _readings(claim: TimeClaim, minute: int) -> Iterator[int]:
    """Give what a time may mean, as minutes after midnight; a span that `minute` is within means `minute`."""
    if "/" in claim.value:
        for span in _spans(claim.value):
            yield from (minute,) if _is_within(minute, *span) else span
        return
    named = _minutes(claim.value)
    yield named
    if claim.ambiguous_12h:
        yield (named + _DAY // 2) % _DAY


def _spans(value: str) -> Iterator[tuple[int, int]]:
    """Give the spans of a value such as `07:00/09:30,14:30/16:30`, as minutes after midnight."""
    for span in value.split(","):
        start, end = span.split("/")
        yield _minutes(start), _minutes(end)


def _is_outdone(claim: TimeClaim, claims: tuple[TimeClaim, ...]) -> bool:
    """Return whether "good evening" stands beside a fuller statement of the night ("good evening, at 3 a.m.")."""
    return claim.greeting and claim.value == "evening" and any(_names_night(other) for other in claims)


def _names_night(claim: TimeClaim) -> bool:
    if claim.kind is ClaimKind.TIME:
        return not claim.ambiguous_12h and _is_within(_minutes(claim.value[:5]), *WINDOWS["late_night"])
    return claim.value in _NIGHT_VALUES


def _is_time(claim: TimeClaim, minute: int) -> bool:
    least, most = TOLERANCES[claim.approx]
    named = _minutes(claim.value)
    readings = (named, named + _DAY // 2) if claim.ambiguous_12h else (named,)
    return any(least <= _lag(minute, reading) <= most for reading in readings)


def _minutes(value: str) -> int:
    hour, minute = value.split(":")
    return int(hour) * 60 + int(minute)


def _lag(minute: int, named: int) -> int:
    """Return how far `minute` is after `named`, the short way round the clock (-720 to 719)."""
    return (minute - named + _DAY // 2) % _DAY - _DAY // 2


def _is_within(minute: int, start: int, end: int) -> bool:
    if start <= end:
        return start <= minute <= end
    return minute >= start or minute <= end
