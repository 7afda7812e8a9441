"""The world's facts of a moment, on one clock: date, weekday, time, part of the day, public holiday."""

from dataclasses import dataclass
from datetime import date, datetime, time
from enum import StrEnum
from functools import lru_cache
from zoneinfo import ZoneInfo

from babel import Locale as BabelLocale
from babel.core import get_global
from babel.dates import format_date, format_time

from core.facts.schedule.holidays import Holiday
from core.values import Locale


class PartOfDay(StrEnum):
    """The parts a day is told in."""

    EARLY_MORNING = "early_morning"
    MORNING = "morning"
    NOON = "noon"
    AFTERNOON = "afternoon"
    EVENING = "evening"
    NIGHT = "night"
    LATE_NIGHT = "late_night"


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldFacts:
    """What is so for everybody who lives by this clock. `now` is aware, in the conversation's zone."""

    now: datetime
    holiday: Holiday | None = None

    @property
    def date(self) -> date:
        """The date on the clock."""
        return self.now.date()

    @property
    def part_of_day(self) -> PartOfDay:
        """The part of the day."""
        return part_of_day(self.now.time())

    @property
    def timezone(self) -> str:
        """The name of the conversation's zone."""
        return str(self.now.tzinfo)


def part_of_day(at: time) -> PartOfDay:
    """Return the part of the day a time on the clock belongs to."""
    return next((part for end, part in _PARTS if at < end), PartOfDay.LATE_NIGHT)


_PARTS = (
    (time(4, 30), PartOfDay.LATE_NIGHT),
    (time(7), PartOfDay.EARLY_MORNING),
    (time(11, 30), PartOfDay.MORNING),
    (time(13), PartOfDay.NOON),
    (time(17), PartOfDay.AFTERNOON),
    (time(19), PartOfDay.EVENING),
    (time(23), PartOfDay.NIGHT),
)

_PART_NAMES = {
    Locale.JA: {
        PartOfDay.EARLY_MORNING: "早朝",
        PartOfDay.MORNING: "朝",
        PartOfDay.NOON: "昼どき",
        PartOfDay.AFTERNOON: "午後",
        PartOfDay.EVENING: "夕方",
        PartOfDay.NIGHT: "夜",
        PartOfDay.LATE_NIGHT: "深夜",
    },
    Locale.EN: {
        PartOfDay.EARLY_MORNING: "early morning",
        PartOfDay.MORNING: "morning",
        PartOfDay.NOON: "around noon",
        PartOfDay.AFTERNOON: "afternoon",
        PartOfDay.EVENING: "early evening",
        PartOfDay.NIGHT: "evening",
        PartOfDay.LATE_NIGHT: "night",
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldWords:
    """The world's facts as a locale writes them. `holiday_country` is None where the clock is in that country."""

    date: str
    time: str
    part_of_day: str
    holiday: str | None
    holiday_country: str | None


def world_in_words(world: WorldFacts, locale: Locale) -> WorldWords:
    """Return the world's facts as a native would write them."""
    return WorldWords(
        date=date_in_words(world.date, locale),
        time=time_in_words(world.now, locale),
        part_of_day=_PART_NAMES[locale][world.part_of_day],
        holiday=world.holiday.name[locale] if world.holiday else None,
        holiday_country=_country_elsewhere(world, locale),
    )


@lru_cache(maxsize=64)
def date_in_words(day: date, locale: Locale) -> str:
    """Return a date with its weekday: 「2026年11月30日月曜日」, "Monday, November 30, 2026"."""
    return format_date(day, "full", locale=BabelLocale(locale.value))


def weekday_in_english(day: date) -> str:
    """Return the English name of a date's weekday in small letters, as programs read it."""
    return format_date(day, "EEEE", locale=BabelLocale("en")).lower()


def time_in_words(moment: datetime, locale: Locale) -> str:
    """Return the time on the clock of an aware moment's zone: "16:08", "4:08 PM"."""
    return _clock_in_words(time(moment.hour, moment.minute), locale)


@lru_cache(maxsize=2 * 24 * 60)
def _clock_in_words(clock: time, locale: Locale) -> str:
    # CLDR puts a narrow no-break space before AM and PM, which chat models have seldom seen.
    return format_time(clock, "short", locale=BabelLocale(locale.value)).replace("\u202f", " ")


def territory_of(zone: ZoneInfo) -> str | None:
    """Return the country (ISO 3166-1) a zone belongs to, where it belongs to one."""
    territory = get_global("zone_territories").get(zone.key)
    return str(territory) if territory else None


def _country_elsewhere(world: WorldFacts, locale: Locale) -> str | None:
    zone = world.now.tzinfo
    if world.holiday is None or (isinstance(zone, ZoneInfo) and territory_of(zone) == world.holiday.country):
        return None
    return str(BabelLocale(locale.value).territories.get(world.holiday.country, world.holiday.country))
