"""What a candidate names: the values behind the words."""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from core.facts.time_claims.names import MONTHS, NAMED_DAYS, PARTS, PARTS_OF_DAYS, WEEKDAY_ALIASES, WEEKDAYS
from core.facts.time_claims.numbers import read_number
from core.facts.time_claims.types import Approximation, ClaimKind

_DAY = 24 * 60
_NOON = 12
_BEFORE_REIWA = 2018
_SMALL_HOURS = "00:00/04:30"
_TWELVES: Mapping[str, int] = MappingProxyType({"midnight": 0, "noon": 12, "midday": 12})
_MORNING = frozenset({"午前", "早朝", "明け方", "未明", "朝", "am", "a"})
_AFTERNOON = frozenset({"午後", "夕方", "pm", "p"})
_NIGHT = frozenset({"夜", "晩", "深夜", "夜中", "真夜中"})
_NEARLY_WORDS = re.compile(
    r"nearly|almost|coming|getting|closing|close|approach|pushing|nearing|nigh on|near on|knocking on|not quite|before"
    r"|shy of|short of"
)
_ABOUT_WORDS = re.compile(r"about|near enough|around|roughly|circa|approx|like|somewhere|in the")
_NEARLY_LEFT = re.compile(
    r"(?:もうすぐ|もうちょっとで|もう少しで|もうすこしで|もうじき|じきに|間もなく|まもなく|あと[^、。]{1,7}分(?:ちょっと|ほど|くらい|ちょい|弱|足らず)?で|いよいよ"
    r"|(?:five|ten|twenty|quarter|[0-9]{1,2}|minutes?|mins?) (?:to|till|til|before|from|of)|shy of)[^、。]{0,6}\s*$"
)
_MINUTES_LEFT = re.compile(r"あと(?:ほんの|もう)?(?P<n>[0-9]{1,2}|[一二三四五六七八九十]{1,3})分で[^、。]{0,6}$")
_ABOUT_LEFT = re.compile(r"(?:だいたい|大体|そろそろ|およそ|約)[^、。]{0,6}$")
_TODAY_IS = re.compile(
    r"(?:今日|きょう|本日|いま|今)(?:の日付)?(?:は|って|も|、|:)*\s*$"
    r"|\b(?:today(?:'s date)?(?:'s| is|,|:)?|(?:the )?date(?: today| now)?(?: is|:))\s*$"
)


class Meaning(NamedTuple):
    """The value of a claim, without its place."""

    kind: ClaimKind
    value: str
    approx: Approximation | None = None
    ambiguous_12h: bool = False


def interpret(frame: str, match: re.Match[str], left: str) -> Iterator[Meaning]:
    """Give what a candidate of a frame names; nothing if its numbers are no time or date. `left` stands before it."""
    try:
        yield from _READERS[frame](match.groupdict(), left)
    except ValueError:
        return


def _weekday(groups: Mapping[str, str | None], left: str) -> Iterator[Meaning]:
    name = groups["weekday"]
    alias = (groups["alias"] or "").strip("()")
    value = WEEKDAYS.get(name, name) if name else WEEKDAY_ALIASES.get(alias) or WEEKDAYS[alias]
    yield Meaning(kind=ClaimKind.WEEKDAY, value=value)
    if beside := groups.get("beside"):
        part = next(part for word, part in PARTS_OF_DAYS.items() if beside.removeprefix("お").startswith(word))
        yield Meaning(kind=ClaimKind.TIME if "/" in part else ClaimKind.PART_OF_DAY, value=part)


def _date(groups: Mapping[str, str | None], left: str) -> Iterator[Meaning]:
    if groups["numeric"]:
        if not _TODAY_IS.search(left):
            return  # figures stand for birthdays, versions and appointments more often than for today
        year, numbered_month, numbered_day = groups["numeric"].split(groups["sign"])
        yield from _dated(int(numbered_month), int(numbered_day), year)
        return
    if "day_first" not in groups:
        yield from _japanese_date(groups, left)
        return
    month = groups["month_last"] or groups["month_first"]
    if groups["slash"]:
        yield from _either_order(*map(int, groups["slash"].split("/")))
        return
    day = _day_number(groups["day_first"] or groups["day_last"] or groups["day_only"] or "")
    if month is None:
        yield from _dated(None, day)
    else:
        yield from _dated(MONTHS.index(month[:3]) + 1, day, groups["year"])


def _either_order(first: int, second: int) -> Iterator[Meaning]:
    """Give a date in figures, month and day in whichever order they make one."""
    dates = {f"{month:02}-{day:02}" for month, day in ((first, second), (second, first)) if 1 <= month <= 12}
    if dates and min(first, second) >= 1 and max(first, second) <= 31:
        yield Meaning(kind=ClaimKind.DATE, value=",".join(sorted(dates)))


def _japanese_date(groups: Mapping[str, str | None], left: str) -> Iterator[Meaning]:
    written = (groups["day"] or "").removesuffix("日")
    day, month = read_number(written), groups["month"]
    if month is not None:
        reiwa = groups["reiwa"]
        yield from _dated(read_number(month), day, str(_BEFORE_REIWA + int(reiwa)) if reiwa else groups["year"])
    elif day >= 10 or (day > 1 and re.search(r"(?:今日|きょう|本日)(?:は|、|って|も)*$", left)):
        # "3日" alone is as often three days as the third, and "一日" is mostly a whole day.
        yield from _dated(None, day)


def _day_number(written: str) -> int:
    return read_number(re.sub(r"(?<=[0-9])(?:st|nd|rd|th)", "", written))


def _dated(month: int | None, day: int, year: str | None = None) -> Iterator[Meaning]:
    """A date without its month is told by its day alone (`*-30`), one with its year by all three."""
    if 1 <= day <= 31 and (month is None or 1 <= month <= 12):
        date = f"{'*' if month is None else f'{month:02}'}-{day:02}"
        yield Meaning(kind=ClaimKind.DATE, value=f"{year}-{date}" if year else date)


def _named_day(groups: Mapping[str, str | None], left: str) -> Iterator[Meaning]:
    name = groups["name"] or ""
    for pattern, value in NAMED_DAYS:
        if re.search(pattern, name):
            yield Meaning(kind=ClaimKind.DATE, value=value)
            return


def _noon(groups: Mapping[str, str | None], left: str) -> Iterator[Meaning]:
    word = groups.get("word") or "正午"
    hedge = groups.get("hedge") or ""
    exact = bool(groups["exactly"]) or hedge in {"exactly", "high", "bang on", "on the stroke of", "the stroke of"}
    approx = Approximation.ABOUT if groups.get("ish") else _hedged(hedge if not exact else "", left)
    if groups.get("past"):
        approx = Approximation.PAST
    if groups.get("nearly"):
        approx = Approximation.NEARLY
    midnight = "midnight" in word
    if midnight and approx is Approximation.PAST and not hedge.startswith("just"):
        yield Meaning(kind=ClaimKind.TIME, value=_SMALL_HOURS)
        return
    if not (midnight and approx is Approximation.NEARLY):
        yield Meaning(kind=ClaimKind.PART_OF_DAY, value="midnight" if midnight else "noon")
    if exact or approx is Approximation.NEARLY or (word == "正午" and approx is None):
        yield Meaning(kind=ClaimKind.TIME, value="00:00" if midnight else "12:00", approx=approx)


def _hedged(hedge: str, left: str) -> Approximation | None:
    if (hedge and _NEARLY_WORDS.search(hedge)) or (left and _NEARLY_LEFT.search(left)):
        return Approximation.NEARLY
    if (hedge and _ABOUT_WORDS.search(hedge)) or (left and _ABOUT_LEFT.search(left)):
        return Approximation.ABOUT
    return Approximation.PAST if hedge else None


def _clock(groups: Mapping[str, str | None], left: str) -> Iterator[Meaning]:
    reader = _english_clock if "quarter" in groups else _japanese_clock
    hour, minute, approx = reader(groups, left)
    if not (0 <= hour <= 29 and 0 <= minute < 60):
        return
    part = (groups["part"] or "").removeprefix("お")
    half = (groups.get("half_day") or "") or part
    total, ambiguous = _resolve(hour, half, sure=_is_24_hours(groups))
    total = (total + minute) % _DAY
    if minus := groups.get("minus"):
        total = (total - read_number(minus)) % _DAY
    yield from _part_beside(part, total)
    yield from _part_in_brackets(groups.get("beside"))
    if groups.get("all_hour"):
        yield _within_the_hour(total, ambiguous=ambiguous)
        return
    if ambiguous and hour != _NOON:
        total %= _DAY // 2
    yield Meaning(
        kind=ClaimKind.TIME, value=f"{total // 60:02}:{total % 60:02}", approx=approx, ambiguous_12h=ambiguous
    )


def _within_the_hour(start: int, *, ambiguous: bool) -> Meaning:
    """Return the whole of an hour (3時台), in both halves of the day where that is left open."""
    hours = sorted({start // 60, (start // 60 + _NOON) % 24} if ambiguous else {start // 60})
    return Meaning(kind=ClaimKind.TIME, value=",".join(f"{hour:02}:00/{hour:02}:59" for hour in hours))


def _is_24_hours(groups: Mapping[str, str | None]) -> bool:
    """Return whether the hour is written as of 24: "0430", "06:14", and in Japanese "12:00" (noon)."""
    if "hour_colon" in groups:
        if not _TWELVES.keys().isdisjoint((groups["hour_quarter"], groups["hour_minutes"], groups["hour_half"])):
            return True
        return bool(groups["military"] or groups["full"]) or (groups["hour_colon"] or "").startswith("0")
    return bool(groups["colon"]) and (groups["hour"] or "").startswith(("0", "12"))


def _japanese_clock(groups: Mapping[str, str | None], left: str) -> tuple[int, int, Approximation | None]:
    hour = read_number(groups["hour"] or "")
    minute = 30 if groups["half"] else read_number(groups["minute"] or groups["colon"] or "0")
    approx = None
    if groups["about"]:
        approx = Approximation.ABOUT
    elif groups["past"]:
        approx = Approximation.PAST
    elif groups["nearly"]:
        approx = Approximation.NEARLY
    elif not groups["minus"]:
        approx = _hedged("", left)
        away = _MINUTES_LEFT.search(left)
        if away and read_number(away["n"]) > 20:
            return _earlier(hour, minute, read_number(away["n"]))
    return hour, minute, approx


def _earlier(hour: int, minute: int, minutes: int) -> tuple[int, int, Approximation | None]:
    """Return what time it is "50 minutes before eight", as closely as such a count is meant."""
    total = (hour * 60 + minute - minutes) % _DAY
    return total // 60, total % 60, Approximation.ABOUT


def _english_clock(groups: Mapping[str, str | None], left: str) -> tuple[int, int, Approximation | None]:
    approx = Approximation.ABOUT if groups["ish"] or groups["ish_first"] else _hedged(groups["hedge"] or "", left)
    if something := groups["something"]:
        hour = read_number(groups["hour"] or "")
        return (hour, 0, Approximation.PAST) if something.endswith("bit") else (hour, 30, Approximation.ABOUT)
    return *_english_time(groups), approx


def _english_time(groups: Mapping[str, str | None]) -> tuple[int, int]:
    if way := groups["quarter_way"] or groups["minutes_way"]:
        minutes = 15 if groups["quarter"] else _minutes_of(groups["minutes"] or "")
        return _around(groups["hour_quarter"] or groups["hour_minutes"], minutes, way)
    if full := groups["full"]:
        return _full_hour(full), _minutes_of_full(groups["full_minutes"] or "")
    if military := groups["military"]:
        return int(military[:2]), int(military[2:])
    if groups["spoken"]:
        minutes_said = (groups["spoken_minutes"] or "").removeprefix("oh ")
        return read_number(groups["spoken"]), read_number(minutes_said)
    hour = groups["hour_half"] or groups["hour_colon"] or groups["hour_dot"] or groups["hour"] or ""
    return _hour(hour), 30 if groups["half"] else int(groups["colon"] or groups["dot"] or 0)


def _minutes_of_full(spoken: str) -> int:
    """Return minutes as they are said of 24 hours: "hundred", "oh five", "twenty"."""
    said = re.sub(r"^(?:oh|o|zero)[ -]|hundred.*", "", spoken)
    return read_number(said) if said else 0


def _full_hour(spoken: str) -> int:
    """Return an hour of 24 as it is said: "nineteen", "oh six", "zero nine"."""
    return read_number(re.sub(r"^(?:oh|zero)[ -]", "", spoken))


def _around(hour: str | None, minutes: int, way: str | None) -> tuple[int, int]:
    named = _hour(hour or "")
    if way in {"past", "after"}:
        return named, minutes
    if hour in _TWELVES:
        return (named - 1) % 24, 60 - minutes
    return (named - 1 if named > 1 else 12), 60 - minutes


def _hour(written: str) -> int:
    return _TWELVES[written] if written in _TWELVES else read_number(written)


def _minutes_of(spoken: str) -> int:
    return 30 if spoken == "half an hour" else read_number(spoken)


def _resolve(hour: int, half: str, *, sure: bool) -> tuple[int, bool]:
    """Return minutes after midnight of a named hour, and whether the half of the day is left open."""
    half = half.strip()
    if half in _MORNING or half.endswith("morning"):
        return (hour % 12 if hour == 12 else hour) * 60, False
    if half in _AFTERNOON or half.endswith(("afternoon", "evening")):
        return (hour % 12 + 12 if hour <= 12 else hour) * 60, False
    if half == "昼":
        return (hour + 12 if hour <= 5 else hour) * 60, False
    if half in _NIGHT or half.endswith("night"):
        return (hour + 12 if 6 <= hour <= 12 else hour) * 60, False
    return hour * 60, 1 <= hour <= 12 and not sure


def _part_beside(part: str, total: int) -> Iterator[Meaning]:
    """Give the part of the day said with a time, where no reading of the time would stand at its edge."""
    if (part == "午後" or part.endswith("afternoon")) and 12 * 60 + 40 <= total <= 17 * 60:
        yield Meaning(kind=ClaimKind.PART_OF_DAY, value="afternoon")


def _part_in_brackets(word: str | None) -> Iterator[Meaning]:
    """Give the part of the day that stands in brackets after a time: "16:08（午後）", "4:08 PM (afternoon)"."""
    if word:
        name = word.removeprefix("お").removeprefix("around ")
        value = next(value for value, words in PARTS.items() if name.startswith(words))
        yield Meaning(kind=ClaimKind.PART_OF_DAY, value=value)


_READERS = MappingProxyType(
    {"clock": _clock, "noon": _noon, "weekday": _weekday, "date": _date, "named_day": _named_day}
)
