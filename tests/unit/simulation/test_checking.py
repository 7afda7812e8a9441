"""The check of a simulation: every kind of broken rule is found, and nothing else."""

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta

import pytest

from bot.simulation.checking import broken_rules
from bot.simulation.truth import Chosen, Edition, House, Observed, Received, Truth
from core.characters.pack import (
    Activity,
    ActivityWindow,
    Candidate,
    ProactivePolicy,
    Schedule,
    Span,
    TimeRange,
    Weekday,
    WeeklyEntry,
    WindowKind,
)
from core.facts.schedule.timetable import Timetable

MOSS = Candidate(id="moss", text="Moss has no roots.", cooldown_days=21)
BAKING = Candidate(
    id="baking",
    text="Baking, {left} to go.",
    cooldown_days=21,
    window=ActivityWindow(activity="bake", kind=WindowKind.DURING),
)
POLICY = ProactivePolicy(
    enabled=True,
    per_day=2,
    minimum_gap_minutes=300,
    windows=(TimeRange(start=time(8), end=time(12)), TimeRange(start=time(14), end=time(21))),
    quiet_hours=TimeRange(start=time(22), end=time(7)),
)


def week(*, hour: int, also: Weekday | None = None) -> Timetable:
    """Return a week with baking every morning; `also`: a day on which it is done in the evening, too."""
    morning = Span(activity="bake", start=time(hour), end=time(9))
    evening = Span(activity="bake", start=time(20), end=time(21))
    return Timetable.of(
        Schedule(
            activities={"bake": Activity(id="bake", text={}, tags=())},
            weekly=(
                WeeklyEntry(days=frozenset(Weekday), span=morning),
                *([] if also is None else [WeeklyEntry(days=frozenset({also}), span=evening)]),
            ),
        ),
        "UTC",
    )


WEEK = week(hour=8)


def at(clock: str, day: int = 4) -> datetime:
    return datetime.combine(datetime(2026, 5, day, tzinfo=UTC), time.fromisoformat(clock), UTC)


def truth(**chosen: object) -> Truth:
    """Return a record of somebody who wants to be spoken to, on a schedule."""
    record = Truth()
    wanted = Chosen(order=record.order(), at=at("00:00", 1), enabled=True, zone="UTC")
    record.chosen[1].append(replace(wanted, **chosen))  # type: ignore[arg-type]
    record.schedule.append(Edition(order=record.order(), content="a", timetable=WEEK))
    return record


def observe(record: Truth, nonce: str, moment: datetime) -> None:
    record.observed[nonce].append(Observed(order=record.order(), at=moment, elapsed=moment.timestamp()))


def receive(record: Truth, nonce: str, moment: datetime, text: str = MOSS.text) -> None:
    record.received.append(
        Received(order=record.order(), at=moment, elapsed=moment.timestamp(), person=1, text=text, nonce=nonce)
    )


def say(record: Truth, clock: str, day: int = 4, *, text: str = MOSS.text, nonce: str | None = None) -> None:
    """Observe, and five seconds later send."""
    moment, name = at(clock, day), nonce or f"{day} {clock}"
    observe(record, name, moment)
    receive(record, name, moment + timedelta(seconds=5), text)


def found(record: Truth) -> list[str]:
    return [kind for kind, _ in broken_rules(record, POLICY, [MOSS, BAKING])]


def test_what_keeps_all_rules_is_not_found() -> None:
    record = truth(quiet=TimeRange(start=time(18), end=time(9)), windows=(TimeRange(start=time(9), end=time(18)),))
    say(record, "09:00")
    say(record, "14:30")
    record.spoke[1].append(record.order())
    say(record, "11:00", 5)

    assert found(record) == []


def test_what_a_schedule_bears_out_is_not_found() -> None:
    record = truth()
    say(record, "08:30", text="Baking, half an hour to go.")

    assert found(record) == []


@pytest.mark.parametrize("chosen", [{"enabled": False}, {"opted_out": True}, {"paused_until": at("12:00")}])
def test_what_nobody_wanted_is_found(chosen: dict[str, object]) -> None:
    record = truth(**chosen)
    say(record, "09:00")

    assert found(record) == ["consent"]


@pytest.mark.parametrize("house", [House(order=3, frozen=True), House(order=3, paused_until=at("12:00"))])
def test_what_operators_had_stopped_is_found(house: House) -> None:
    record = truth()
    record.house.append(replace(house, order=record.order()))
    say(record, "09:00")

    assert found(record) == ["consent"]


def test_a_message_to_who_spoke_after_the_look_is_found() -> None:
    record = truth()
    observe(record, "n", at("09:00"))
    record.spoke[1].append(record.order())
    receive(record, "n", at("09:00:05"))

    assert found(record) == ["consent"]


def test_a_message_later_than_its_lease_or_without_a_look_is_found() -> None:
    record = truth()
    observe(record, "n", at("09:00"))
    receive(record, "n", at("09:02"))
    assert found(record) == ["lease"]

    record = truth()
    receive(record, "n", at("09:00"))
    assert found(record) == ["lease", "fingerprint"]


@pytest.mark.parametrize(
    ("week", "broken"),
    [
        pytest.param(week(hour=7), ["fingerprint"], id="baking is earlier"),
        pytest.param(None, ["fingerprint"], id="no schedule any more"),
        pytest.param(week(hour=8), [], id="the same in other words"),
        pytest.param(week(hour=8, also=Weekday.THU), [], id="another day of the week"),
    ],
)
def test_a_message_from_before_an_edit_is_found_where_the_edit_says_something_else(
    week: Timetable | None, broken: list[str]
) -> None:
    record = truth()  # a Monday
    observe(record, "n", at("10:00"))
    record.schedule.append(Edition(order=record.order(), content="b", timetable=week))
    receive(record, "n", at("10:00:05"))

    assert found(record) == broken


def test_a_message_from_before_the_schedule_became_unreadable_is_found() -> None:
    record = truth()
    observe(record, "n", at("10:00"))
    record.schedule.append(Edition(order=record.order(), content=None, timetable=None))
    receive(record, "n", at("10:00:05"))

    assert found(record) == ["fingerprint"]


def test_words_that_are_no_candidate_are_found() -> None:
    record = truth()
    say(record, "09:00", text="Where were you?")

    assert found(record) == ["fingerprint"]


def test_words_about_an_activity_that_is_over_are_found() -> None:
    record = truth()
    say(record, "09:30", text="Baking, half an hour to go.")

    assert found(record) == ["window"]


def test_quiet_hours_and_windows_are_the_persons_as_well() -> None:
    record = truth(quiet=TimeRange(start=time(8), end=time(10)))
    say(record, "09:00")
    assert found(record) == ["quiet_hours"]

    record = truth(windows=(TimeRange(start=time(15), end=time(16)),))
    say(record, "09:00")
    assert found(record) == ["window"]

    record = truth(zone="Asia/Tokyo")
    say(record, "14:00")
    assert found(record) == ["quiet_hours", "window"]


def test_more_than_the_days_share_is_found() -> None:
    record = truth(per_day=1)
    say(record, "08:30")
    say(record, "14:00")

    assert found(record) == ["caps"]


def test_a_gap_that_was_not_kept_is_found() -> None:
    record = truth()
    say(record, "11:30")
    say(record, "14:30")

    assert found(record) == ["gap"]


def test_a_pace_that_was_not_halved_is_found() -> None:
    record = truth()
    say(record, "08:30")
    say(record, "14:00")
    say(record, "08:30", 5)
    say(record, "14:00", 5)

    assert found(record) == ["caps", "gap"]


def test_who_never_answers_and_is_written_to_all_the_same_is_found() -> None:
    record = truth()
    for day in range(4, 9):
        say(record, "08:30", day)

    assert found(record) == ["caps"]


def test_nothing_is_held_against_the_program_that_it_had_to_forget() -> None:
    record = truth()
    say(record, "11:30")
    record.chosen[1].append(replace(record.chosen[1][0], order=(order := record.order()), since=order))
    say(record, "14:30")

    assert found(record) == []


def test_one_occasion_that_was_used_twice_is_found() -> None:
    record = truth()
    say(record, "08:30", nonce="n")
    say(record, "14:00", nonce="n")
    assert found(record) == ["double_send"]

    record = truth()
    say(record, "14:10")
    say(record, "20:10")
    assert found(record) == ["double_send"]
