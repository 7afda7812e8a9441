"""Windows around activities, fingerprints of schedules, what may be said at a moment."""

from datetime import datetime, timedelta

import pytest

from core.characters.pack import ActivityWindow, Candidate, WindowKind
from core.proactive.fingerprint import fingerprint
from core.proactive.moments import fits, stretches_around
from core.proactive.openings import openings
from tests.unit.proactive.scene import at, timetable

BAKES = timetable("bake 09:00-11:00")


@pytest.mark.parametrize(
    ("kind", "within", "moment", "expected"),
    [
        (WindowKind.BEFORE, 30, "08:31", True),
        (WindowKind.BEFORE, 30, "08:29", False),
        (WindowKind.BEFORE, 30, "09:00", False),
        (WindowKind.DURING, None, "09:00", True),
        (WindowKind.DURING, None, "10:59", True),
        (WindowKind.DURING, None, "11:00", False),
        (WindowKind.DURING, 15, "09:15", True),
        (WindowKind.DURING, 15, "09:16", False),
        (WindowKind.AFTER, 30, "11:00", True),
        (WindowKind.AFTER, 30, "11:30", True),
        (WindowKind.AFTER, 30, "11:31", False),
        (WindowKind.AFTER, 30, "10:59", False),
    ],
)
def test_a_window_lies_around_its_activity(kind: WindowKind, within: int | None, moment: str, expected: bool) -> None:
    now = at(f"2026-05-04T{moment}")
    window = ActivityWindow(activity="bake", kind=kind, within_minutes=within)
    assert fits(window, stretches_around(BAKES, now), now) is expected


def test_a_window_of_an_activity_over_midnight_holds_on_both_days() -> None:
    shift = timetable("shift 22:00-02:00")
    window = ActivityWindow(activity="shift", kind=WindowKind.DURING)
    for moment in ("2026-05-04T23:30", "2026-05-05T01:30"):
        assert fits(window, stretches_around(shift, at(moment)), at(moment))


def test_nothing_fits_an_activity_of_a_character_without_a_schedule() -> None:
    now = at("2026-05-04T09:30")
    assert not fits(ActivityWindow(activity="bake", kind=WindowKind.DURING), stretches_around(None, now), now)


def test_a_neutral_candidate_fits_any_moment() -> None:
    assert fits(None, (), at("2026-05-04T03:00"))


def test_the_fingerprint_is_that_of_what_the_schedule_says() -> None:
    now = at("2026-05-04T09:30")
    assert fingerprint(BAKES, now) == fingerprint(timetable("bake 09:00-11:00"), now)
    assert len(fingerprint(BAKES, now) or "") == 64


@pytest.mark.parametrize(
    "changed",
    [
        timetable("bake 09:00-11:05"),
        timetable("bake 09:00-11:00", "walk 17:00-18:00"),
        timetable("bake 09:00-11:00", text="kneading"),
    ],
)
def test_any_change_of_the_schedule_around_the_moment_changes_the_fingerprint(changed: object) -> None:
    now = at("2026-05-04T09:30")
    assert fingerprint(changed, now) != fingerprint(BAKES, now)  # type: ignore[arg-type]


def test_a_character_without_a_schedule_has_no_fingerprint() -> None:
    assert fingerprint(None, at("2026-05-04T09:30")) is None


def candidate(name: str, *, cooldown: int = 21, window: ActivityWindow | None = None) -> Candidate:
    return Candidate(id=name, text=name, cooldown_days=cooldown, window=window)


def offered(said: dict[str, datetime], *candidates: Candidate) -> list[str]:
    now = at("2026-05-04T09:30")
    found = openings(candidates, said=said, stretches=stretches_around(BAKES, now), now=now)
    return [found_one.id for found_one in found]


def test_a_candidate_is_offered_again_after_its_cooldown() -> None:
    now = at("2026-05-04T09:30")
    many = [candidate("a", cooldown=3), candidate("b", cooldown=3), candidate("c"), candidate("d")]
    said = {"a": now - timedelta(days=3), "b": now - timedelta(days=2), "c": now - timedelta(days=1)}
    assert offered(said | {"d": now - timedelta(hours=1)}, *many) == ["a"]


def test_what_was_said_last_is_not_repeated_even_if_its_cooldown_is_over() -> None:
    now = at("2026-05-04T09:30")
    many = [candidate(name, cooldown=1) for name in "abcd"]
    said = {"a": now - timedelta(days=9), "b": now - timedelta(days=8), "c": now - timedelta(days=2)}
    assert offered(said, *many) == ["a", "d"]


def test_only_candidates_of_the_moment_are_offered() -> None:
    during = ActivityWindow(activity="bake", kind=WindowKind.DURING)
    after = ActivityWindow(activity="bake", kind=WindowKind.AFTER, within_minutes=30)
    assert offered({}, candidate("a", window=during), candidate("b", window=after), candidate("c")) == ["a", "c"]
