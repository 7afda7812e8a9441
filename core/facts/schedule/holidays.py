"""Public holidays of a country or a part of it, named in every locale as far as their names are known."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Self

from core.facts.errors import FactsError
from core.values import Locale

if TYPE_CHECKING:
    from holidays import HolidayBase

_PLACES = 64  # whose holidays are kept once they were asked for
_LANGUAGES = {Locale.JA: ("ja",), Locale.EN: ("en_US", "en_GB", "en")}


@dataclass(frozen=True, slots=True)
class Holiday:
    """A public holiday: the country it is one of (ISO 3166-1), and its name in each locale."""

    country: str
    name: Mapping[Locale, str]


class HolidayCalendar:
    """The public holidays of one place. Years are worked out when first asked for."""

    def __init__(self, country: str, part: str | None) -> None:
        """Take a country and a part of it, both known."""
        self._country = country
        self._part = part

    @cached_property
    def _names(self) -> "Mapping[Locale, HolidayBase]":
        """The same holidays once for each locale; importing them takes a while, whichever country they are of."""
        from holidays import country_holidays  # noqa: PLC0415

        languages = country_holidays(self._country, subdiv=self._part).supported_languages
        return {
            locale: country_holidays(
                self._country, subdiv=self._part, language=next((tag for tag in tags if tag in languages), None)
            )
            for locale, tags in _LANGUAGES.items()
        }

    @classmethod
    @lru_cache(maxsize=_PLACES)
    def of(cls, place: str) -> Self:
        """Return the holidays of a country ("JP") or of a part of one ("US-CA", "GB-ENG").

        Raises:
            FactsError: no holidays are known for a place of that name.
        """
        country, _, part = place.partition("-")
        check_place(place)
        return cls(country, part or None)

    def on(self, day: date) -> Holiday | None:
        """Return the holiday of a day; holidays on the same day are named together."""
        found = {locale: names.get_list(day) for locale, names in self._names.items()}
        if not all(found.values()):
            return None
        joined = {locale: ("・" if locale is Locale.JA else ", ").join(names) for locale, names in found.items()}
        return Holiday(self._country, joined)


def check_place(place: str) -> None:
    """Refuse a place whose holidays are not known.

    Raises:
        FactsError: no such country or part of one.
    """
    from holidays import list_supported_countries  # noqa: PLC0415 - many packs keep no holidays
    from holidays.registry import EntityLoader  # noqa: PLC0415

    known = tuple(EntityLoader.get_country_codes(include_aliases=False))
    country, dash, part = place.partition("-")
    if country not in known:
        code = next((code for code in known if place.casefold() in _names_of(code)), None)
        hint = f" (did you mean '{code}'?)" if code else ""
        raise FactsError(f"'{place}' is not a country whose holidays are known{hint}; examples are 'JP' and 'US-CA'")
    if dash and part not in (all_parts := list_supported_countries(include_aliases=False)[country]):
        parts = ", ".join(f"{country}-{known_part}" for known_part in all_parts) or "none"
        raise FactsError(f"'{place}' is not a part of {country} whose holidays are known; known are: {parts}")


def _names_of(code: str) -> frozenset[str]:
    """Return what people write for a country: its code, and its names in the program's languages."""
    from babel import Locale as BabelLocale  # noqa: PLC0415

    names = (BabelLocale(locale.value).territories.get(code, "") for locale in Locale)
    return frozenset(name.casefold() for name in (code, *names))
