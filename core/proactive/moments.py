"""Whether a moment is one that a schedule-bound candidate may be said at."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from core.characters.pack import ActivityWindow, WindowKind
from core.facts.schedule.state import Stretch
from core.facts.schedule.timetable import Timetable
from core.facts.schedule.wall import day_of


def stretches_around(timetable: Timetable | None, now: datetime) -> tuple[Stretch, ...]:
    """Return what the schedule holds on the day of an aware moment, the day before and the day after."""
    if timetable is None:
        return ()
    return tuple(timetable.stretches(day_of(now, timetable.zone) - timedelta(days=1), 3))


def fits(window: ActivityWindow | None, stretches: Sequence[Stretch], now: datetime) -> bool:
    """Return whether `now` (aware) lies in the window; a candidate without one fits any moment."""
    if window is None:
        return True
    own = [stretch for stretch in stretches if stretch.activity is not None and stretch.activity.id == window.activity]
    within = None if window.within_minutes is None else timedelta(minutes=window.within_minutes)
    under_way = next((stretch for stretch in own if stretch.start <= now < stretch.end), None)
    if window.kind is WindowKind.DURING:
        return under_way is not None and (within is None or now - under_way.start <= within)
    if under_way is not None or within is None:
        return False
    if window.kind is WindowKind.BEFORE:
        return any(timedelta() < stretch.start - now <= within for stretch in own)
    return any(timedelta() <= now - stretch.end <= within for stretch in own)
