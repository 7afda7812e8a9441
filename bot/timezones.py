"""Time zones as people look for them: by city, country or the zone's own name, in Japanese and English."""

import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from importlib.resources import files
from typing import Literal
from zoneinfo import ZoneInfo, available_timezones

from babel import Locale as BabelLocale
from babel.core import get_global
from babel.dates import get_timezone_location, get_timezone_name

from core.values import Locale

MOST_SUGGESTIONS = 25
_UTC = "Etc/UTC"
# Any year would do: abbreviations are those of winter and of summer time.
_A_WINTER = datetime(2026, 1, 1, tzinfo=UTC)
_HALF_A_YEAR = timedelta(days=182)
_CITY, _ZONE, _COUNTRY = range(3)
# What is offered before anything is typed, and first among equals.
_WELL_KNOWN = {
    Locale.JA: ("Asia/Tokyo", "Asia/Seoul", "Asia/Shanghai", "Asia/Taipei", "America/New_York"),
    Locale.EN: ("America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles", "Europe/London"),
}
_ALSO_WELL_KNOWN = (
    *("Europe/Paris", "Europe/Berlin", "Asia/Kolkata", "Asia/Singapore", "Australia/Sydney", "America/Phoenix"),
    *("America/Anchorage", "Pacific/Honolulu", _UTC),
)
_VARIANTS: tuple[Literal["generic", "standard", "daylight"], ...] = ("generic", "standard", "daylight")
_KATAKANA = {code: code + 0x60 for code in range(ord("ぁ"), ord("ゖ") + 1)}
_LEFT_OUT = dict.fromkeys(map(ord, " _-・,.'’"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A time zone, and what it is called. `terms` are folded, each with its kind: city, zone or country."""

    zone: str
    city: Mapping[Locale, str]
    country: Mapping[Locale, str]
    terms: tuple[tuple[str, int], ...]

    def clock(self, now: datetime) -> datetime:
        """Return an aware moment on the clocks of the zone."""
        return now.astimezone(ZoneInfo(self.zone))


class Timezones:
    """Every zone that people live in, and UTC."""

    def __init__(self, places: Mapping[str, Place]) -> None:
        self._places = places

    def get(self, zone: str) -> Place | None:
        """Return a zone by its name."""
        return self._places.get(get_global("zone_aliases").get(zone, zone))

    def search(self, wish: str, locale: Locale, *, limit: int = MOST_SUGGESTIONS) -> list[Place]:
        """Return the zones that fit, the best first; well-known ones for an empty wish."""
        known = (*_WELL_KNOWN[locale], *(zone for names in _WELL_KNOWN.values() for zone in names), *_ALSO_WELL_KNOWN)
        order = {zone: number for number, zone in enumerate(dict.fromkeys(known))}
        folded = fold(wish)
        if not folded:
            return [self._places[zone] for zone in order][:limit]
        found = [(rank, place) for place in self._places.values() if (rank := _rank(place, folded)) is not None]
        found.sort(key=lambda pair: (pair[0], order.get(pair[1].zone, len(order)), pair[1].zone))
        return [place for _, place in found[:limit]]

    def find(self, wish: str, locale: Locale) -> Place | None:
        """Return the one zone that is meant; None where nothing fits, or several do as well as each other."""
        best = self.search(wish, locale, limit=2)
        folded = fold(wish)
        if not best or not folded:
            return None
        if len(best) == 1 or _rank(best[0], folded) != _rank(best[1], folded):
            return best[0]
        return None


@cache
def all_timezones() -> Timezones:
    """Return the zones; the first call takes some tenths of a second."""
    cities: Mapping[str, list[str]] = tomllib.loads(files("bot").joinpath("timezone_cities.toml").read_text("utf-8"))
    aliases: dict[str, list[str]] = {}
    for alias, zone in get_global("zone_aliases").items():
        aliases.setdefault(zone, []).append(alias)
    territories = get_global("zone_territories")
    zones = sorted(available_timezones() & {zone for zone in territories if zone == _UTC or zone[:4] != "Etc/"})
    return Timezones(
        {zone: _place(zone, territories[zone], aliases.get(zone, []), cities.get(zone, [])) for zone in zones}
    )


def fold(text: str) -> str:
    """Return a text as it is compared: without case, accents, spaces, and the difference between kinds of kana."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    latin = "".join(char for char in plain if not "\u0300" <= char <= "\u036f")
    return unicodedata.normalize("NFKC", latin).translate(_KATAKANA).translate(_LEFT_OUT)


def _place(zone: str, territory: str, aliases: list[str], cities: list[str]) -> Place:
    city = dict.fromkeys(Locale, "UTC")
    country = dict.fromkeys(Locale, "")
    if zone != _UTC:
        for locale in Locale:
            city[locale] = get_timezone_location(zone, locale=locale.value, return_city=True)
            country[locale] = str(BabelLocale(locale.value).territories.get(territory, territory))
    names: list[tuple[str, int]] = [(name, _CITY) for name in (zone, _last(zone), *city.values(), *cities)]
    for alias in aliases:
        kind = _CITY if "/" in alias else _ZONE
        names += [(alias, kind), (_last(alias), kind)]
    names += [(name, _ZONE) for name in _zone_names(zone)]
    names += [(name, _COUNTRY) for name in (*country.values(), territory) if country[Locale.EN]]
    return Place(
        zone=zone, city=city, country=country, terms=tuple(dict.fromkeys((fold(name), kind) for name, kind in names))
    )


def _last(zone: str) -> str:
    return zone.rpartition("/")[2]


def _zone_names(zone: str) -> Iterator[str]:
    for locale in Locale:
        for variant in _VARIANTS:
            name = get_timezone_name(ZoneInfo(zone), "long", locale=locale.value, zone_variant=variant)
            if "(" not in fold(name):  # "Cuba (Havana) time" says nothing that city and country don't
                yield name
    for summer_or_winter in (_A_WINTER, _A_WINTER + _HALF_A_YEAR):
        abbreviation = summer_or_winter.astimezone(ZoneInfo(zone)).tzname()
        if abbreviation is not None and abbreviation.isalpha():
            yield abbreviation


def _rank(place: Place, wish: str) -> tuple[int, int] | None:
    """Return how well a place fits, the smaller the better: exactly, from the start, or somewhere inside."""
    best: tuple[int, int] | None = None
    for term, kind in place.terms:
        if wish not in term:
            continue
        rank = (0 if term == wish else 1 if term.startswith(wish) else 2, kind)
        best = rank if best is None else min(best, rank)
    return best
