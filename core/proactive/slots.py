"""Slots: which occasions a day has, and when in its window each is due.

Nothing here is drawn: a slot's moment, and which of a day's windows are used where there are more than may be, follow
from a hash of the slot's name. So load is even over a window, and a restart changes nothing.
"""

import hashlib
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from core.characters.pack import TimeRange
from core.facts.schedule.wall import day_of, first_moment
from core.proactive.limits import Limits
from core.proactive.types import LEASE_SECONDS, Recipient, Slot

_DAY = timedelta(days=1)
_LOOKED_AHEAD = 3
"""Days; a window that exists at all opens within them."""
_LEASE = timedelta(seconds=LEASE_SECONDS)
FARTHEST = timedelta(days=_LOOKED_AHEAD + 2)
"""How far ahead a slot can be due at most, generously; what is farther was worked out while the clock was wrong."""


def slots_of_day(recipient: Recipient, day: date, limits: Limits, zone: ZoneInfo) -> list[Slot]:
    """Return a local day's slots in the order they are due, no more than may be sent on a day.

    A window that the clocks of the zone skip that day has no slot. One over midnight belongs to the day it opens on.
    """
    windows = sorted(limits.windows, key=lambda window: _fraction(recipient, day, window, "chosen"))
    slots = (_slot(recipient, day, window, zone) for window in windows)
    chosen = [slot for slot in slots if slot is not None][: limits.per_day]
    return sorted(chosen, key=lambda slot: slot.due_at)


def next_slot(recipient: Recipient, limits: Limits, zone: ZoneInfo, *, after: datetime) -> Slot | None:
    """Return the first slot that is due later than an aware moment, None where there are no windows."""
    return next((slot for slot in _around(recipient, limits, zone, after) if slot.due_at > after), None)


def slot_due_at(recipient: Recipient, limits: Limits, zone: ZoneInfo, due_at: datetime) -> Slot | None:
    """Return the slot that is due at exactly that moment, None if the limits have changed since it was worked out."""
    return next((slot for slot in _around(recipient, limits, zone, due_at) if slot.due_at == due_at), None)


def _around(recipient: Recipient, limits: Limits, zone: ZoneInfo, moment: datetime) -> Iterator[Slot]:
    today = day_of(moment, zone)
    for distance in range(-1, _LOOKED_AHEAD + 1):
        yield from slots_of_day(recipient, today + distance * _DAY, limits, zone)


def _slot(recipient: Recipient, day: date, window: TimeRange, zone: ZoneInfo) -> Slot | None:
    opens = first_moment(day, window.start, zone)
    closes = first_moment(day if window.start < window.end else day + _DAY, window.end, zone)
    # What is due just before the window closes could not be sent inside it.
    room = closes - opens - _LEASE
    if room <= timedelta():
        return None
    seconds = int(_fraction(recipient, day, window, "due") * room.total_seconds())
    return Slot(
        recipient=recipient,
        day=day,
        window=window,
        opens=opens,
        closes=closes,
        due_at=opens + timedelta(seconds=seconds),
    )


def _fraction(recipient: Recipient, day: date, window: TimeRange, purpose: str) -> float:
    """Return a number in [0, 1) that is the same for the same slot for ever."""
    parts: Sequence[object] = (
        purpose,
        recipient.character,
        recipient.kind,
        recipient.id,
        day,
        window.start,
        window.end,
    )
    digest = hashlib.sha256("\0".join(str(part) for part in parts).encode()).digest()
    return int.from_bytes(digest[:8]) / 2**64
