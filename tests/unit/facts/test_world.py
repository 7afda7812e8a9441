from datetime import datetime, time
from zoneinfo import ZoneInfo

import pytest

from core.facts.schedule.holidays import Holiday
from core.facts.world import PartOfDay, WorldFacts, part_of_day, time_in_words, world_in_words
from core.values import Locale

TOKYO = ZoneInfo("Asia/Tokyo")


@pytest.mark.parametrize(
    ("at", "part"),
    [
        (time(0), PartOfDay.LATE_NIGHT),
        (time(4, 29), PartOfDay.LATE_NIGHT),
        (time(4, 30), PartOfDay.EARLY_MORNING),
        (time(7), PartOfDay.MORNING),
        (time(11, 29), PartOfDay.MORNING),
        (time(11, 30), PartOfDay.NOON),
        (time(12, 59, 59), PartOfDay.NOON),
        (time(13), PartOfDay.AFTERNOON),
        (time(17), PartOfDay.EVENING),
        (time(19), PartOfDay.NIGHT),
        (time(23), PartOfDay.LATE_NIGHT),
        (time(23, 59), PartOfDay.LATE_NIGHT),
    ],
)
def test_every_time_belongs_to_one_part_of_the_day(at: time, part: PartOfDay) -> None:
    assert part_of_day(at) is part


@pytest.mark.parametrize(
    ("at", "ja", "en"),
    [
        ((0, 5), "0:05", "12:05 AM"),
        ((9, 0), "9:00", "9:00 AM"),
        ((12, 0), "12:00", "12:00 PM"),
        ((16, 8), "16:08", "4:08 PM"),
    ],
)
def test_times_are_written_as_natives_write_them(at: tuple[int, int], ja: str, en: str) -> None:
    moment = datetime(2026, 11, 30, *at, tzinfo=TOKYO)
    assert time_in_words(moment, Locale.JA) == ja
    assert time_in_words(moment, Locale.EN) == en


def test_dates_carry_their_weekday() -> None:
    world = WorldFacts(now=datetime(2026, 11, 30, 16, 8, tzinfo=TOKYO))
    assert world_in_words(world, Locale.JA).date == "2026年11月30日月曜日"
    assert world_in_words(world, Locale.EN).date == "Monday, November 30, 2026"


@pytest.mark.parametrize(
    ("zone", "country"), [("Asia/Tokyo", None), ("America/New_York", "Japan"), ("Etc/UTC", "Japan")]
)
def test_a_holiday_of_another_country_is_told_with_the_country(zone: str, country: str | None) -> None:
    holiday = Holiday("JP", {Locale.JA: "元日", Locale.EN: "New Year's Day"})
    words = world_in_words(WorldFacts(now=datetime(2027, 1, 1, tzinfo=ZoneInfo(zone)), holiday=holiday), Locale.EN)
    assert words.holiday == "New Year's Day"
    assert words.holiday_country == country
