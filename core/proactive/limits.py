"""How often and when a recipient may be spoken to first: the character's policy, narrowed by what they chose.

Windows and quiet hours are worked out in minutes of a day: what remains of the windows when everything that is not
wanted has been taken away.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import time, timedelta
from functools import lru_cache

from core.characters.pack import ProactivePolicy, TimeRange
from core.proactive.types import Wishes

_DAY = 24 * 60
_SHORTEST = 10
"""Minutes; what is left of a window and shorter than that is no window."""
_EVERY_OTHER_DAY = timedelta(hours=40)
"""The gap that halves a pace of once a day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What holds for one recipient now. `windows` lie outside of the quiet hours and don't overlap."""

    per_day: int
    gap: timedelta
    windows: tuple[TimeRange, ...]
    quiet: tuple[TimeRange, ...]


@lru_cache(maxsize=4096)
def limits_of(policy: ProactivePolicy, wishes: Wishes, unanswered: int) -> Limits | None:
    """Return the limits, None where nothing may be said first at all until the recipient speaks.

    After `slow_after` unanswered messages the pace halves, after `stop_after` it stops. Most recipients leave the
    policy as it is, so that the same limits are asked for again and again: they are remembered.
    """
    if not policy.enabled or unanswered >= policy.stop_after:
        return None
    quiet = tuple(hours for hours in (policy.quiet_hours, wishes.quiet_hours) if hours is not None)
    per_day = min(policy.per_day, wishes.per_day or policy.per_day)
    gap = timedelta(minutes=max(policy.minimum_gap_minutes, wishes.minimum_gap_minutes or 0))
    if unanswered >= policy.slow_after:
        gap = 2 * gap if per_day > 1 else max(2 * gap, _EVERY_OTHER_DAY)
        per_day = max(1, per_day // 2)
    return Limits(per_day=per_day, gap=gap, windows=_open(policy, wishes, quiet), quiet=quiet)


def in_range(hours: TimeRange, at: time) -> bool:
    """Return whether a time of day lies in a range, which may go over midnight."""
    if hours.start < hours.end:
        return hours.start <= at < hours.end
    return at >= hours.start or at < hours.end


def _open(policy: ProactivePolicy, wishes: Wishes, quiet: Sequence[TimeRange]) -> tuple[TimeRange, ...]:
    """Return the parts of each of the character's windows that the recipient's windows and all quiet hours leave."""
    minutes = [True] * _DAY
    if wishes.windows is not None:
        wanted = set(_minutes(wishes.windows))
        minutes = [minute in wanted for minute in range(_DAY)]
    for minute in _minutes(quiet):
        minutes[minute] = False
    windows = policy.windows or (TimeRange(start=time(), end=time()),)
    return tuple(part for window in windows for part in _remaining(window, minutes))


def _minutes(ranges: Iterable[TimeRange]) -> Iterable[int]:
    return (minute for hours in ranges for minute in _within(hours))


def _within(hours: TimeRange) -> list[int]:
    """Return the minutes of a range in their order, over midnight where it goes over it."""
    start, end = _minute(hours.start), _minute(hours.end)
    return [minute % _DAY for minute in range(start, end if start < end else end + _DAY)]


def _remaining(window: TimeRange, minutes: Sequence[bool]) -> Iterable[TimeRange]:
    run: list[int] = []
    for minute in [*_within(window), None]:
        if minute is not None and minutes[minute]:
            run.append(minute)
            continue
        if len(run) >= _SHORTEST:
            yield TimeRange(start=_time(run[0]), end=_time((run[-1] + 1) % _DAY))
        run = []


def _minute(at: time) -> int:
    return at.hour * 60 + at.minute


def _time(minute: int) -> time:
    return time(minute // 60, minute % 60)
