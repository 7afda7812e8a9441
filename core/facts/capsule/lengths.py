"""How long, in words: rounded the way people round, and never as a time on the clock."""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from core.values import Locale

_MINUTE = 60.0
_HOUR = 60 * _MINUTE
_DAY = 24 * _HOUR
_WEEK = 7 * _DAY
_MONTH = 30.44 * _DAY
_YEAR = 365.25 * _DAY


class Unit(StrEnum):
    """What a length is told in."""

    MOMENT = "moment"
    FEW_MINUTES = "few_minutes"
    MINUTE = "minute"
    HOUR = "hour"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class Rounded:
    """A length as people tell it. `count` is whole, but for hours, which come in halves."""

    unit: Unit
    count: float = 1


def rounded(length: timedelta) -> Rounded:
    """Round a length: to 5 minutes, from 53 minutes to half hours, from 4:45 to hours, then days, weeks and so on.

    A negative length (a clock that was set back) counts as none.
    """
    seconds = length.total_seconds()
    if seconds < 1.5 * _MINUTE:
        return Rounded(Unit.MOMENT)
    if seconds < 4.5 * _MINUTE:
        return Rounded(Unit.FEW_MINUTES)
    for below, unit, size, step in _SCALE:
        if seconds < below:
            return Rounded(unit, max(step, int(seconds / size / step + 0.5) * step))
    return Rounded(Unit.YEAR, max(1, int(seconds / _YEAR + 0.5)))


# Below this many seconds: told in this unit, of this many seconds, in steps of so many units.
_SCALE: tuple[tuple[float, Unit, float, float], ...] = (
    (52.5 * _MINUTE, Unit.MINUTE, _MINUTE, 5),
    (75 * _MINUTE, Unit.HOUR, _HOUR, 1),
    (4.75 * _HOUR, Unit.HOUR, _HOUR, 0.5),
    (22.5 * _HOUR, Unit.HOUR, _HOUR, 1),
    (13.5 * _DAY, Unit.DAY, _DAY, 1),
    (27 * _DAY, Unit.WEEK, _WEEK, 1),
    (345 * _DAY, Unit.MONTH, _MONTH, 1),
)


class Phrase(StrEnum):
    """What a length is said of."""

    SINCE = "since"
    LEFT = "left"
    AHEAD = "ahead"
    AGO = "ago"


def phrase(kind: Phrase, length: timedelta, locale: Locale) -> str:
    """Return a length as part of a sentence: "started about an hour and a half ago", 「1時間半くらい前から」."""
    value = rounded(length)
    words = _PHRASES[locale][kind]
    if value.unit is Unit.MOMENT:
        return words[0]
    if value.unit is Unit.FEW_MINUTES:
        return words[1]
    return words[2].format(_told(value, locale))


def days_ago(days: int, locale: Locale) -> str:
    """Return how many midnights ago a day was: "today", "yesterday", "8 days ago", then as lengths are told."""
    if days >= _DAYS_COUNTED:
        return phrase(Phrase.AGO, timedelta(days=days), locale)
    return _DAYS_AGO[locale][min(days, 2)].format(days)


# Beyond so many days people say weeks, as `rounded` does.
_DAYS_COUNTED = 14
_DAYS_AGO = {Locale.JA: ("今日", "昨日", "{}日前"), Locale.EN: ("today", "yesterday", "{} days ago")}

# For a moment, for a few minutes, and for any other length.
_PHRASES: dict[Locale, dict[Phrase, tuple[str, str, str]]] = {
    Locale.JA: {
        Phrase.SINCE: ("ついさっきから", "数分前から", "{}くらい前から"),
        Phrase.LEFT: ("もう終わるところ", "あと数分", "あと{}ほど"),
        Phrase.AHEAD: ("このすぐあと", "数分後に", "{}ほどあとに"),
        Phrase.AGO: ("ついさっき", "数分前", "{}くらい前"),
    },
    Locale.EN: {
        Phrase.SINCE: ("just started", "started a few minutes ago", "started about {} ago"),
        Phrase.LEFT: ("just about over", "a few minutes left", "about {} left"),
        Phrase.AHEAD: ("any moment", "in a few minutes", "in about {}"),
        Phrase.AGO: ("a moment ago", "a few minutes ago", "about {} ago"),
    },
}

_UNITS_JA = {
    Unit.MINUTE: "分",
    Unit.HOUR: "時間",
    Unit.DAY: "日",
    Unit.WEEK: "週間",
    Unit.MONTH: "か月",
    Unit.YEAR: "年",
}
_NUMBERS_EN = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def _told(value: Rounded, locale: Locale) -> str:
    whole, half = int(value.count), value.count % 1 != 0
    if locale is Locale.JA:
        return f"{whole}{_UNITS_JA[value.unit]}{'半' if half else ''}"
    return _told_in_english(value.unit, whole, half=half)


def _told_in_english(unit: Unit, whole: int, *, half: bool) -> str:
    if whole == 1:
        single = "an hour" if unit is Unit.HOUR else f"a {unit}"
        return f"{single} and a half" if half else single
    number = str(whole) if unit is Unit.MINUTE or whole >= len(_NUMBERS_EN) else _NUMBERS_EN[whole]
    return f"{number} and a half {unit}s" if half else f"{number} {unit}s"
