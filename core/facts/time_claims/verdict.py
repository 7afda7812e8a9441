"""Whether claims about the present hold: tolerances and windows."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from types import MappingProxyType

from core.facts.time_claims.types import Approximation, ClaimKind, TimeClaim

_DAY = 24 * 60
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

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
    if claim.kind is ClaimKind.TIME:
        return _is_time(claim, minute)
    if claim.kind is ClaimKind.WEEKDAY:
        return claim.value == _WEEKDAYS[now.weekday()]
    if claim.kind is ClaimKind.DATE:
        return claim.value in {f"{now:%m-%d}", f"*-{now:%d}"}
    return _is_within(minute, *WINDOWS[claim.value])


def nearest_reading(claim: TimeClaim, now: datetime) -> str:
    """Return the value of a claim; what it leaves open (half of the day, month) is taken as closest to `now`."""
    if claim.value.startswith("*"):
        return _nearest_month(int(claim.value[2:]), now)
    if not claim.ambiguous_12h:
        return claim.value
    readings = [(_minutes(claim.value) + half) % _DAY for half in (0, _DAY // 2)]
    closest = min(readings, key=lambda reading: abs(_lag(now.hour * 60 + now.minute, reading)))
    return f"{closest // 60:02}:{closest % 60:02}"


def _nearest_month(day: int, now: datetime) -> str:
    """Return the date closest to now whose day of the month is `day`."""
    nearby = (now.date() + timedelta(days=offset) for distance in range(32) for offset in (distance, -distance))
    return next((f"{date:%m-%d}" for date in nearby if date.day == day), f"{now:%m}-{day:02}")


def _is_outdone(claim: TimeClaim, claims: tuple[TimeClaim, ...]) -> bool:
    """Return whether "good evening" stands beside a fuller statement of the night ("good evening, at 3 a.m.")."""
    return claim.greeting and claim.value == "evening" and any(_names_night(other) for other in claims)


def _names_night(claim: TimeClaim) -> bool:
    if claim.kind is ClaimKind.TIME:
        return not claim.ambiguous_12h and _is_within(_minutes(claim.value), *WINDOWS["late_night"])
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
