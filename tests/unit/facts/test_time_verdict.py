"""Tolerances and windows."""

from datetime import UTC, datetime, timedelta

import pytest

from core.facts.time_claims import Approximation, ClaimKind, TimeClaim, contradicts, holds
from core.facts.time_claims.verdict import nearest_reading

MIDNIGHT = datetime(2026, 11, 30, tzinfo=UTC)


def claim(kind: ClaimKind, value: str, **rest: object) -> TimeClaim:
    return TimeClaim(kind=kind, value=value, start=0, end=1, rule="test", **rest)  # type: ignore[arg-type]


def at(clock: str) -> datetime:
    hour, minute = map(int, clock.split(":"))
    return MIDNIGHT + timedelta(hours=hour, minutes=minute)


@pytest.mark.parametrize(
    ("approx", "true", "false"),
    [
        (None, ("15:50", "16:10"), ("15:49", "16:11")),
        (Approximation.PAST, ("16:00", "16:40"), ("15:59", "16:41")),
        (Approximation.NEARLY, ("15:40", "16:00"), ("15:39", "16:01")),
        (Approximation.ABOUT, ("15:35", "16:25"), ("15:34", "16:26")),
    ],
)
def test_a_time_holds_within_its_tolerance(
    approx: Approximation | None, true: tuple[str, str], false: tuple[str, str]
) -> None:
    stated = claim(ClaimKind.TIME, "16:00", approx=approx)
    assert all(holds(stated, at(clock)) for clock in true)
    assert not any(holds(stated, at(clock)) for clock in false)


def test_a_tolerance_reaches_across_midnight() -> None:
    assert holds(claim(ClaimKind.TIME, "00:00", approx=Approximation.NEARLY), at("23:45"))
    assert holds(claim(ClaimKind.TIME, "23:55"), at("00:05"))


def test_either_half_of_the_day_will_do_when_it_is_left_open() -> None:
    stated = claim(ClaimKind.TIME, "03:00", ambiguous_12h=True)
    assert holds(stated, at("03:05"))
    assert holds(stated, at("15:05"))
    assert not holds(stated, at("09:05"))


@pytest.mark.parametrize(
    ("value", "first", "last"),
    [
        ("early_morning", "03:00", "07:00"),
        ("morning", "04:30", "11:59"),
        ("noon", "11:20", "13:10"),
        ("afternoon", "12:00", "18:00"),
        ("evening", "16:00", "23:59"),
        ("night", "18:00", "04:30"),
        ("late_night", "22:00", "04:30"),
        ("midnight", "23:30", "00:30"),
    ],
)
def test_a_part_of_the_day_holds_in_its_window(value: str, first: str, last: str) -> None:
    stated = claim(ClaimKind.PART_OF_DAY, value)
    assert holds(stated, at(first))
    assert holds(stated, at(last))
    assert not holds(stated, at(first) - timedelta(minutes=1))
    assert not holds(stated, at(last) + timedelta(minutes=1))


def test_days_are_those_of_the_local_time() -> None:
    assert holds(claim(ClaimKind.WEEKDAY, "monday"), MIDNIGHT)
    assert not holds(claim(ClaimKind.WEEKDAY, "tuesday"), MIDNIGHT)
    assert holds(claim(ClaimKind.DATE, "11-30"), MIDNIGHT)
    assert holds(claim(ClaimKind.DATE, "*-30"), MIDNIGHT)
    assert not holds(claim(ClaimKind.DATE, "*-29"), MIDNIGHT)


def test_good_evening_is_no_contradiction_beside_a_claim_of_the_night() -> None:
    greeting = claim(ClaimKind.PART_OF_DAY, "evening", greeting=True)
    assert contradicts([greeting], at("03:00"))
    assert not contradicts([greeting, claim(ClaimKind.TIME, "03:00")], at("03:00"))


def test_no_claim_contradicts_nothing() -> None:
    assert not contradicts((), MIDNIGHT)


def test_what_is_left_open_is_read_as_closest_to_now() -> None:
    assert nearest_reading(claim(ClaimKind.TIME, "05:15", ambiguous_12h=True), at("18:45")) == "17:15"
    assert nearest_reading(claim(ClaimKind.TIME, "05:15"), at("18:45")) == "05:15"
    assert nearest_reading(claim(ClaimKind.DATE, "*-01"), at("18:45")) == "12-01"
    assert nearest_reading(claim(ClaimKind.DATE, "*-31"), at("18:45")) == "10-31"
