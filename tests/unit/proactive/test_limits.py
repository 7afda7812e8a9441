"""What remains of a character's windows, caps and gaps when a recipient has chosen."""

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from core.characters.pack import ProactivePolicy
from core.proactive.limits import in_range, limits_of
from core.proactive.types import Wishes
from tests.unit.proactive.scene import hours, policy


def windows_of(wishes: Wishes, *windows: str, quiet: str = "22:00-08:00") -> list[str]:
    limits = limits_of(policy(*windows, quiet=quiet), wishes, 0)
    assert limits is not None
    return [f"{window.start:%H:%M}-{window.end:%H:%M}" for window in limits.windows]


def test_a_character_that_never_speaks_first_has_no_limits() -> None:
    assert limits_of(ProactivePolicy(enabled=False), Wishes(), 0) is None


def test_without_wishes_the_characters_windows_hold() -> None:
    assert windows_of(Wishes(), "08:30-11:00", "16:30-21:00") == ["08:30-11:00", "16:30-21:00"]


def test_without_windows_the_whole_day_but_the_quiet_hours_is_open() -> None:
    assert windows_of(Wishes()) == ["08:00-22:00"]


def test_a_recipients_window_narrows_the_characters() -> None:
    wishes = Wishes(windows=(hours("10:00-17:00"),))
    assert windows_of(wishes, "08:30-11:00", "16:30-21:00") == ["10:00-11:00", "16:30-17:00"]


def test_a_recipients_window_never_widens_the_characters() -> None:
    assert windows_of(Wishes(windows=(hours("05:00-08:15"),)), "08:30-11:00") == []


def test_quiet_hours_of_both_are_kept() -> None:
    assert windows_of(Wishes(quiet_hours=hours("18:00-10:00")), "08:30-11:00", "16:30-21:00") == [
        "10:00-11:00",
        "16:30-18:00",
    ]


def test_a_window_over_midnight_stays_one_window() -> None:
    assert windows_of(Wishes(), "21:00-01:00", quiet="02:00-08:00") == ["21:00-01:00"]


def test_what_is_left_of_a_window_in_a_few_minutes_is_none() -> None:
    assert windows_of(Wishes(quiet_hours=hours("08:35-20:00")), "08:30-11:00") == []


def test_a_recipient_may_slow_down_but_not_speed_up() -> None:
    slower = limits_of(policy(per_day=3, gap=60), Wishes(per_day=1, minimum_gap_minutes=600), 0)
    faster = limits_of(policy(per_day=3, gap=60), Wishes(per_day=9, minimum_gap_minutes=5), 0)
    assert slower is not None
    assert faster is not None
    assert (slower.per_day, slower.gap) == (1, timedelta(hours=10))
    assert (faster.per_day, faster.gap) == (3, timedelta(hours=1))


def test_the_pace_halves_after_unanswered_messages() -> None:
    limits = limits_of(policy(per_day=4, gap=60), Wishes(), 2)
    assert limits is not None
    assert (limits.per_day, limits.gap) == (2, timedelta(hours=2))


def test_a_pace_of_once_a_day_halves_to_every_other_day() -> None:
    limits = limits_of(policy(per_day=1, gap=60), Wishes(), 2)
    assert limits is not None
    assert (limits.per_day, limits.gap) == (1, timedelta(hours=40))


def test_the_pace_stops_after_more_unanswered_messages() -> None:
    assert limits_of(policy(), Wishes(), 4) is None


CLOCK = st.integers(0, 1439).map(lambda minute: f"{minute // 60:02}:{minute % 60:02}")
RANGE = st.builds("{}-{}".format, CLOCK, CLOCK)


@given(st.lists(RANGE, max_size=3), RANGE, st.lists(RANGE, max_size=2), st.integers(0, 1439))
def test_a_window_never_holds_what_somebody_does_not_want(
    windows: list[str], quiet: str, wanted: list[str], minute: int
) -> None:
    wishes = Wishes(windows=tuple(hours(text) for text in wanted) or None)
    limits = limits_of(policy(*windows, quiet=quiet), wishes, 0)
    assert limits is not None
    moment = hours(f"{minute // 60:02}:{minute % 60:02}-00:00").start
    if any(in_range(window, moment) for window in limits.windows):
        assert not in_range(hours(quiet), moment)
        assert not windows or any(in_range(hours(window), moment) for window in windows)
        assert not wanted or any(in_range(hours(window), moment) for window in wanted)
