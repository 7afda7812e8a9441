"""The country of a time zone, to find places that somebody can really turn to."""

from babel.core import get_global


def country_of_zone(zone: str) -> str | None:
    """Return the ISO 3166 code of the country a zone of the IANA database lies in; None for UTC and the like."""
    country = get_global("zone_territories").get(zone)
    return None if country in {None, "001", "ZZ"} else str(country)
