"""When a slot is due: spread over its window, the same after a restart, never outside."""

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from core.proactive.limits import Limits, limits_of
from core.proactive.slots import next_slot, slot_due_at, slots_of_day
from core.proactive.types import LEASE_SECONDS, Recipient, RecipientKind, Wishes
from tests.unit.proactive.scene import NEW_YORK, RECIPIENT, TOKYO, at, policy

DAY = date(2026, 5, 4)


def limits(*windows: str, per_day: int = 3, quiet: str = "22:00-08:00") -> Limits:
    found = limits_of(policy(*windows, per_day=per_day, quiet=quiet), Wishes(), 0)
    assert found is not None
    return found


def user(number: int) -> Recipient:
    return Recipient("hinata", RecipientKind.USER, number)


def test_a_slot_is_named_by_its_day_and_window() -> None:
    (slot,) = slots_of_day(RECIPIENT, DAY, limits("08:30-11:00"), TOKYO)
    assert slot.key == "2026-05-04/0830-1100"
    assert (slot.opens, slot.closes) == (at("2026-05-04T08:30"), at("2026-05-04T11:00"))


def test_a_slot_is_due_at_the_same_moment_again() -> None:
    assert slots_of_day(RECIPIENT, DAY, limits("08:30-11:00"), TOKYO) == slots_of_day(
        RECIPIENT, DAY, limits("08:30-11:00"), TOKYO
    )


def test_due_moments_of_many_are_even_over_the_window() -> None:
    quarters = Counter(
        int((slot.due_at - slot.opens) / (slot.closes - slot.opens) * 4)
        for number in range(2000)
        for slot in slots_of_day(user(number), DAY, limits("08:00-12:00"), TOKYO)
    )
    assert all(abs(count - 500) < 100 for count in quarters.values())
    assert set(quarters) == {0, 1, 2, 3}


def test_what_is_due_can_still_be_sent_inside_the_window() -> None:
    for number in range(500):
        (slot,) = slots_of_day(user(number), DAY, limits("08:30-09:00"), TOKYO)
        assert slot.opens <= slot.due_at <= slot.closes - timedelta(seconds=LEASE_SECONDS)


def test_of_more_windows_than_may_be_used_others_are_used_on_other_days() -> None:
    three = limits("08:30-11:00", "12:00-14:00", "16:30-21:00", per_day=1)
    used = Counter(
        slot.window.start
        for day in range(90)
        for slot in slots_of_day(RECIPIENT, DAY + timedelta(days=day), three, TOKYO)
    )
    assert sum(used.values()) == 90
    assert all(count > 15 for count in used.values())
    assert len(used) == 3


def test_a_window_over_midnight_closes_on_the_next_day() -> None:
    (slot,) = slots_of_day(RECIPIENT, DAY, limits("23:00-01:00", quiet="02:00-03:00"), TOKYO)
    assert (slot.opens, slot.closes) == (at("2026-05-04T23:00"), at("2026-05-05T01:00"))


def test_a_window_that_the_clocks_skip_has_no_slot_that_day() -> None:
    skipped = limits("02:10-02:50", quiet="22:00-22:01")
    assert slots_of_day(RECIPIENT, date(2026, 3, 8), skipped, NEW_YORK) == []
    assert len(slots_of_day(RECIPIENT, date(2026, 3, 9), skipped, NEW_YORK)) == 1


def test_the_next_slot_is_the_first_one_that_is_due_later() -> None:
    two = limits("08:30-11:00", "16:30-21:00")
    first, second = slots_of_day(RECIPIENT, DAY, two, TOKYO)
    assert next_slot(RECIPIENT, two, TOKYO, after=at("2026-05-04T00:00")) == first
    assert next_slot(RECIPIENT, two, TOKYO, after=first.due_at) == second
    (tomorrow, _) = slots_of_day(RECIPIENT, DAY + timedelta(days=1), two, TOKYO)
    assert next_slot(RECIPIENT, two, TOKYO, after=second.due_at) == tomorrow


def test_there_is_no_next_slot_without_windows() -> None:
    assert next_slot(RECIPIENT, limits("22:30-23:30"), TOKYO, after=at("2026-05-04T00:00")) is None


def test_a_slot_is_found_by_its_due_moment_until_the_limits_change() -> None:
    (slot,) = slots_of_day(RECIPIENT, DAY, limits("08:30-11:00"), TOKYO)
    assert slot_due_at(RECIPIENT, limits("08:30-11:00"), TOKYO, slot.due_at) == slot
    assert slot_due_at(RECIPIENT, limits("08:30-11:01"), TOKYO, slot.due_at) != slot


@given(st.integers(1, 2**62), st.integers(0, 730 * 24 * 60))
def test_no_slot_is_ever_skipped_or_repeated_by_walking_on(number: int, minutes: int) -> None:
    two = limits("08:30-11:00", "23:30-00:30", quiet="03:00-04:00")
    after, walked = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes), []
    for _ in range(6):
        slot = next_slot(user(number), two, NEW_YORK, after=after)
        assert slot is not None
        walked.append(slot)
        after = slot.due_at
    assert len({slot.key for slot in walked}) == 6
    days = sorted({slot.day for slot in walked})
    assert all(later - earlier == timedelta(days=1) for earlier, later in pairwise(days))
