from datetime import UTC, datetime

import pytest

from bot.timezones import MOST_SUGGESTIONS, all_timezones, fold
from core.values import Locale


def zones(wish: str, locale: Locale = Locale.EN) -> list[str]:
    return [place.zone for place in all_timezones().search(wish, locale)]


@pytest.mark.parametrize(
    ("wish", "zone"),
    [
        ("東京", "Asia/Tokyo"),
        ("とうきょう", "Asia/Tokyo"),
        ("トウキョウ", "Asia/Tokyo"),
        ("大阪", "Asia/Tokyo"),
        ("日本", "Asia/Tokyo"),
        ("日本標準時", "Asia/Tokyo"),
        ("JST", "Asia/Tokyo"),
        ("ニューヨーク", "America/New_York"),
        ("NYC", "America/New_York"),
        ("にゅーよーく", "America/New_York"),
        ("new york", "America/New_York"),
        ("New_York", "America/New_York"),
        ("  newyork ", "America/New_York"),
        ("San Francisco", "America/Los_Angeles"),
        ("サンフランシスコ", "America/Los_Angeles"),
        ("São Paulo", "America/Sao_Paulo"),
        ("ロンドン", "Europe/London"),
        ("北京", "Asia/Shanghai"),
        ("Ｔｏｋｙｏ", "Asia/Tokyo"),
        ("asia/tokyo", "Asia/Tokyo"),
        ("Asia/Calcutta", "Asia/Kolkata"),
        ("US/Pacific", "America/Los_Angeles"),
        ("utc", "Etc/UTC"),
        ("Italy", "Europe/Rome"),
    ],
)
def test_a_place_is_found_by_what_people_call_it(wish: str, zone: str) -> None:
    for locale in Locale:
        found = all_timezones().find(wish, locale)
        assert found is not None
        assert found.zone == zone
        assert zones(wish, locale)[0] == zone


@pytest.mark.parametrize("wish", ["", "  ", "zzzz", "アメリカ", "United States", "EST"])
def test_what_means_nothing_or_several_zones_is_not_guessed(wish: str) -> None:
    assert all_timezones().find(wish, Locale.EN) is None


def test_a_country_with_several_zones_offers_them_all_the_well_known_first() -> None:
    assert zones("アメリカ")[0] == "America/New_York"
    assert {"America/Chicago", "America/Denver", "Pacific/Honolulu"} <= set(zones("united states"))


@pytest.mark.parametrize("wish", ["", "a", "o", "ー", "/"])
def test_there_are_never_more_than_discord_takes(wish: str) -> None:
    assert len(zones(wish)) <= MOST_SUGGESTIONS


def test_before_anything_is_typed_the_zones_of_ones_language_come_first() -> None:
    assert zones("", Locale.JA)[0] == "Asia/Tokyo"
    assert zones("", Locale.EN)[0] == "America/New_York"


def test_every_zone_has_a_name_in_every_language_and_a_clock() -> None:
    now = datetime(2026, 11, 30, 7, 8, tzinfo=UTC)
    for place in all_timezones().search("/", Locale.EN, limit=1000):
        assert all(place.city[locale] for locale in Locale)
        assert place.clock(now) == now


def test_old_names_of_a_zone_lead_to_it() -> None:
    place = all_timezones().get("Asia/Calcutta")
    assert place is not None
    assert place.zone == "Asia/Kolkata"
    assert all_timezones().get("Mars/Olympus") is None


def test_kana_with_marks_are_not_taken_apart() -> None:
    assert fold("ガがパぱ") == "ガガパパ"
