"""From the clock on the wall to moments, where clocks are put forward and back as well.

A wall time means the first moment at which the clock shows it or something later. So a time that comes twice is its
first coming, a time that is skipped is the end of the gap, and what ends when something else begins leaves no hole.
"""

from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

_SECOND = timedelta(seconds=1)


def first_moment(day: date, at: time, zone: ZoneInfo) -> datetime:
    """Return, in UTC, the first moment at which clocks of the zone show that time of that day or something later."""
    wall = datetime.combine(day, at, tzinfo=zone)
    moment = wall.astimezone(UTC)
    return moment if _shown(moment, zone) == wall.replace(tzinfo=None) else _end_of_gap(wall, moment, zone)


@lru_cache(maxsize=256)
def midnight(day: date, zone: ZoneInfo) -> datetime:
    """Return the moment a day begins: a moment belongs to the last day that has begun."""
    return first_moment(day, time(), zone)


def day_of(moment: datetime, zone: ZoneInfo) -> date:
    """Return the day a moment belongs to.

    It is the date on the clock, but for the few minutes when a clock is put back over midnight: those belong to
    the new day, which has begun before.
    """
    following = moment.astimezone(zone).date() + timedelta(days=1)
    return following if moment >= midnight(following, zone) else following - timedelta(days=1)


def _end_of_gap(wall: datetime, after: datetime, zone: ZoneInfo) -> datetime:
    """Return when a skipped time is passed. PEP 495: fold=0 reads it by the offset before the gap, fold=1 after it."""
    skipped = wall.replace(tzinfo=None)
    before = wall.replace(fold=1).astimezone(UTC)
    while after - before > _SECOND:
        middle = before + (after - before) // _SECOND // 2 * _SECOND
        if _shown(middle, zone) >= skipped:
            after = middle
        else:
            before = middle
    return after


def _shown(moment: datetime, zone: ZoneInfo) -> datetime:
    return moment.astimezone(zone).replace(tzinfo=None)
