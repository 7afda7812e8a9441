"""The lines of `yorisoi inspect time`."""

from datetime import UTC, datetime
from typing import Any

from bot.cli.jsonl import Line, LineError
from bot.cli.moments import FIRST_YEAR, LAST_YEAR
from core.facts.errors import FactsError
from core.facts.time_claims import inspect_time
from core.facts.zones import find_zone, read_moment


class TimeLine(Line):
    """A text and the moment it is said at."""

    now: str
    text: str
    tz: str | None = None


def inspect_line(line: TimeLine) -> dict[str, Any]:
    """Return what the text claims about the present. Offsets are characters of the text.

    Raises:
        LineError: `now` is no moment, or `tz` no zone.
    """
    return inspect_time({"id": line.id, "now": _local(line).isoformat(), "text": line.text})


def _local(line: TimeLine) -> datetime:
    """Return the moment on the clock it is judged by: that of `tz`, else that of its own offset."""
    try:
        zone = None if line.tz is None else find_zone(line.tz)
    except FactsError as error:
        raise LineError(f"'tz': {error}") from error
    try:
        # Without a zone and an offset the time on the clock is all that is known, and all that is needed.
        moment = read_moment(line.now, zone or UTC)
    except FactsError as error:
        raise LineError(f"'now': {error}") from error
    if not FIRST_YEAR <= moment.year <= LAST_YEAR:
        raise LineError(f"'now': {line.now} is not between {FIRST_YEAR} and {LAST_YEAR}")
    return moment if zone is None else moment.astimezone(zone)
