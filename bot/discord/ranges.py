"""Parts of a day as people write them: `9:00-12:00, 18:00〜21:30`."""

import re
import unicodedata
from collections.abc import Sequence
from datetime import time

from core.characters.pack import TimeRange

MOST_RANGES = 6
_RANGE = re.compile(r"(\d{1,2})(?:[:時](\d{2})?分?)?\s*(?:-|to|から)\s*(\d{1,2})(?:[:時](\d{2})?分?)?(?:\s*まで)?")
_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−〜~～ー"), "-")
_SEPARATORS = re.compile(r"[,、;/\n]+|と|\band\b")
_LAST_HOUR = 24


def read_ranges(text: str) -> tuple[TimeRange, ...] | None:
    """Return the ranges that a text names, None where it isn't made of ranges, or has too many of them.

    24:00 is midnight. A range may go over midnight; one that has no length is none.
    """
    plain = unicodedata.normalize("NFKC", text).translate(_DASHES).lower().replace("時半", ":30")
    parts = [part.strip() for part in _SEPARATORS.split(plain) if part.strip()]
    ranges = [_range(part) for part in parts]
    read = tuple(found for found in ranges if found is not None)
    return read if 0 < len(read) == len(parts) <= MOST_RANGES else None


def in_words(ranges: Sequence[TimeRange]) -> str:
    """Return ranges as they are shown: `09:00-12:00, 18:00-21:30`."""
    return ", ".join(f"{hours.start:%H:%M}-{hours.end:%H:%M}" for hours in ranges)


def _range(text: str) -> TimeRange | None:
    match = _RANGE.fullmatch(text)
    if match is None:
        return None
    start, end = _time(match[1], match[2]), _time(match[3], match[4])
    return None if start is None or end is None or start == end else TimeRange(start=start, end=end)


def _time(hour: str, minute: str | None) -> time | None:
    hours, minutes = int(hour), int(minute or 0)
    if hours == _LAST_HOUR and minutes == 0:
        return time()
    return time(hours, minutes) if hours < _LAST_HOUR and minutes < 60 else None
