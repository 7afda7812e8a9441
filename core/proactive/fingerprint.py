"""The fingerprint of a schedule: whether it still says what it said when a message was decided on (seed 001)."""

import hashlib
import json
from datetime import datetime, timedelta

from core.facts.schedule.state import Stretch
from core.facts.schedule.timetable import Timetable
from core.facts.schedule.wall import day_of

_DAYS = 3
"""The day of the moment and its neighbours: all that a window around an activity can reach."""


def fingerprint(timetable: Timetable | None, at: datetime) -> str | None:
    """Return the SHA-256 of the canonical form of the schedule around an aware moment, in hexadecimal.

    The same schedule gives the same fingerprint for the same moment, however its file is written. None without one.
    """
    if timetable is None:
        return None
    first = day_of(at, timetable.zone) - timedelta(days=1)
    canonical = [_canonical(stretch) for stretch in timetable.stretches(first, _DAYS)]
    return hashlib.sha256(json.dumps(canonical, ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()


def _canonical(stretch: Stretch) -> list[object]:
    activity = stretch.activity
    told = None if activity is None else [activity.id, sorted(activity.text.items()), sorted(activity.tags)]
    return [stretch.start.isoformat(), stretch.end.isoformat(), told]
