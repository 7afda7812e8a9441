"""Days, months and seasons that a claim may name."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from core.facts.time_claims import ClaimKind, TimeClaim, holds
from core.facts.time_claims.calendar import SEASONS, is_date, is_day
from core.facts.time_claims.verdict import nearest_reading

FRIDAY = datetime(2026, 12, 4, 18, 30, tzinfo=UTC)


def at(date: str, hour: int = 12) -> datetime:
    return datetime.fromisoformat(f"{date}T{hour:02}:00:00+00:00")


@pytest.mark.parametrize(
    ("value", "true", "false"),
    [
        ("weekend", ("2026-12-05", "2026-12-06"), ("2026-12-03", "2026-12-07")),
        ("weekday", ("2026-12-04", "2026-12-07"), ("2026-12-05", "2026-12-06")),
        ("midweek", ("2026-12-01", "2026-12-03"), ("2026-11-30", "2026-12-04")),
        ("sunday,monday", ("2026-12-06", "2026-12-07"), ("2026-12-05", "2026-12-08")),
    ],
)
def test_several_days_of_the_week(value: str, true: tuple[str, ...], false: tuple[str, ...]) -> None:
    assert all(is_day(value, at(date)) for date in true)
    assert not any(is_day(value, at(date)) for date in false)


def test_the_weekend_begins_on_friday_afternoon() -> None:
    assert is_day("weekend", at("2026-12-04", 15))
    assert not is_day("weekend", at("2026-12-04", 14))


@pytest.mark.parametrize(
    ("value", "true", "false"),
    [
        ("12-31/01-15", ("2026-12-31", "2027-01-15"), ("2026-12-30", "2027-01-16")),
        ("*-23/*-31", ("2026-11-23", "2026-11-30"), ("2026-11-22", "2026-12-01")),
        ("07-*", ("2026-07-01", "2026-07-31"), ("2026-06-30", "2026-08-01")),
        ("10-06/10-15,11-18/11-30", ("2026-10-06", "2026-11-30"), ("2026-10-16", "2026-12-01")),
        ("*-01", ("2026-12-01",), ("2026-12-11",)),
    ],
)
def test_spans_of_dates_hold_with_both_ends(value: str, true: tuple[str, ...], false: tuple[str, ...]) -> None:
    assert all(is_date(value, at(date)) for date in true)
    assert not any(is_date(value, at(date)) for date in false)


def test_a_season_is_the_other_one_south_of_the_equator() -> None:
    tokyo = datetime(2026, 7, 15, 12, tzinfo=ZoneInfo("Asia/Tokyo"))
    sydney = datetime(2026, 7, 15, 12, tzinfo=ZoneInfo("Australia/Sydney"))
    assert [season for season in SEASONS if is_date(season, tokyo)] == ["summer"]
    assert [season for season in SEASONS if is_date(season, sydney)] == ["winter"]


@pytest.mark.parametrize(
    ("kind", "value", "reading"),
    [
        (ClaimKind.WEEKDAY, "weekend", "friday"),
        (ClaimKind.WEEKDAY, "monday,tuesday", "monday"),
        (ClaimKind.DATE, "12-31/01-15", "12-31"),
        (ClaimKind.DATE, "11-*", "11-30"),
        (ClaimKind.DATE, "12-*", "12-04"),
        (ClaimKind.TIME, "14:00/16:40", "16:40"),
        (ClaimKind.TIME, "18:00/23:00", "18:30"),
    ],
)
def test_a_span_is_read_as_what_of_it_is_closest(kind: ClaimKind, value: str, reading: str) -> None:
    claim = TimeClaim(kind=kind, value=value, start=0, end=1, rule="test")
    assert nearest_reading(claim, FRIDAY) == reading


@pytest.mark.parametrize(("hour", "holding"), [(0, True), (4, True), (5, False), (21, False), (22, True)])
def test_a_span_of_time_may_cross_midnight(hour: int, *, holding: bool) -> None:
    claim = TimeClaim(kind=ClaimKind.TIME, value="22:00/04:00", start=0, end=1, rule="test")
    assert holds(claim, at("2026-12-04", hour)) is holding


def test_a_feast_on_a_weekday_is_that_day_of_its_span_only() -> None:
    assert is_date("05-25/05-31@monday", at("2026-05-25"))
    assert not is_date("05-25/05-31@monday", at("2026-05-26"))
    assert not is_date("05-25/05-31@monday", at("2026-05-18"))
    assert is_date("01-08/01-14@monday,02-11", at("2026-02-11"))
