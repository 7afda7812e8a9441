"""Time zones by name, and moments as an operator writes them."""

from datetime import UTC, datetime, tzinfo
from difflib import get_close_matches
from zoneinfo import ZoneInfo, available_timezones

from core.facts.errors import FactsError


def find_zone(name: str) -> ZoneInfo:
    """Return a zone of the IANA database.

    Raises:
        FactsError: there is none of that name.
    """
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, LookupError) as error:
        near = get_close_matches(name, available_timezones(), n=1, cutoff=0.6)
        hint = f"did you mean '{near[0]}'?" if near else "an example is 'Asia/Tokyo'"
        raise FactsError(f"'{name}' is not a time zone of the IANA database; {hint}") from error


def is_zone(name: str) -> bool:
    """Return whether this machine knows a zone of that name."""
    try:
        ZoneInfo(name)
    except (ValueError, OSError, LookupError):
        return False
    return True


def read_moment(text: str, zone: tzinfo) -> datetime:
    """Return the aware moment written as "2026-11-30T16:08", on the clocks of `zone` unless it has an offset.

    Raises:
        FactsError: it is not a moment.
    """
    try:
        moment = datetime.fromisoformat(text.strip())
        # By way of UTC: a time that the clocks of the zone skip becomes one that they do show.
        return moment if moment.tzinfo is not None else moment.replace(tzinfo=zone).astimezone(UTC).astimezone(zone)
    except (ValueError, OverflowError) as error:
        raise FactsError(
            f"'{text}' is not a moment; an example is 2026-11-30T16:08, or 2026-11-30T16:08+09:00"
        ) from error
