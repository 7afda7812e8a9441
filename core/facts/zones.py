"""Time zones by name."""

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
