"""What keeps a message from being sent, before it is decided on and right before it goes out."""

from dataclasses import replace
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from core.characters.pack import ActivityWindow, Candidate, ProactivePolicy, TimeRange, WindowKind
from core.proactive.eligibility import Standing, refusal
from core.proactive.fingerprint import fingerprint
from core.proactive.limits import limits_of
from core.proactive.moments import stretches_around
from core.proactive.regrounding import Ground, lost_ground
from core.proactive.slots import slots_of_day
from core.proactive.types import Observation, Reason, Subscription, Wishes
from tests.unit.proactive.scene import RECIPIENT, TOKYO, at, policy, timetable

NOW = at("2026-05-04T10:00")
BAKES = timetable("bake 09:00-11:00")
NIGHT = ProactivePolicy(
    enabled=True,
    windows=(TimeRange(start=time(2, 30), end=time(4)),),
    quiet_hours=TimeRange(start=time(12), end=time(13)),
)
LIMITS = limits_of(policy("08:30-11:00", per_day=2, gap=120), Wishes(), 0)
SUBSCRIPTION = Subscription(recipient=RECIPIENT, enabled=True, wishes=Wishes(timezone="Asia/Tokyo"), revision=7)
STANDING = Standing(now=NOW, subscription=SUBSCRIPTION, limits=LIMITS, zone=TOKYO)


def test_who_asked_for_it_may_be_spoken_to() -> None:
    assert refusal(STANDING) is None


@pytest.mark.parametrize(
    ("standing", "reason"),
    [
        (replace(STANDING, subscription=replace(SUBSCRIPTION, enabled=False)), Reason.NOT_ENABLED),
        (replace(STANDING, opted_out=True), Reason.OPTED_OUT),
        (replace(STANDING, frozen=True), Reason.FROZEN),
        (replace(STANDING, all_paused_until=NOW + timedelta(minutes=1)), Reason.PAUSED),
        (replace(STANDING, subscription=replace(SUBSCRIPTION, paused_until=NOW + timedelta(1))), Reason.PAUSED),
        (replace(STANDING, subscription=replace(SUBSCRIPTION, suspended_until=NOW + timedelta(1))), Reason.SUSPENDED),
        (replace(STANDING, zone=None), Reason.NO_TIMEZONE),
        (replace(STANDING, limits=None), Reason.UNANSWERED),
        (replace(STANDING, now=at("2026-05-04T22:30")), Reason.QUIET_HOURS),
        (replace(STANDING, now=at("2026-05-04T07:59")), Reason.QUIET_HOURS),
        (replace(STANDING, sent=(at("2026-05-04T00:01"), at("2026-05-04T00:02"))), Reason.DAILY_CAP),
        (replace(STANDING, sent=(NOW - timedelta(minutes=119),)), Reason.GAP),
    ],
)
def test_what_speaks_against_it_is_told(standing: Standing, reason: Reason) -> None:
    assert refusal(standing) is reason


@pytest.mark.parametrize(
    "standing",
    [
        replace(STANDING, subscription=replace(SUBSCRIPTION, paused_until=NOW)),
        replace(STANDING, sent=(at("2026-05-03T23:58"), at("2026-05-03T23:59"))),
        replace(STANDING, sent=(NOW - timedelta(minutes=120),)),
    ],
)
def test_what_is_over_does_not_speak_against_it(standing: Standing) -> None:
    assert refusal(standing) is None


def ground(window: ActivityWindow | None = None, *, seconds: float = 20) -> Ground:
    (slot,) = slots_of_day(RECIPIENT, NOW.astimezone(TOKYO).date(), LIMITS, TOKYO)  # type: ignore[arg-type]
    later = NOW + timedelta(seconds=seconds)
    return Ground(
        slot=slot,
        candidate=Candidate(id="c", text="…", cooldown_days=21, window=window),
        observation=Observation(
            observed_at=NOW, monotonic=1000.0, fingerprint=fingerprint(BAKES, NOW), revision=7, spoke_at=None
        ),
        standing=replace(STANDING, now=later),
        monotonic=1000.0 + seconds,
        fingerprint=fingerprint(BAKES, NOW),
        stretches=stretches_around(BAKES, later),
    )


def moved(from_ground: Ground, now: datetime, *, monotonic: float | None = None) -> Ground:
    elapsed = (now - from_ground.observation.observed_at).total_seconds()
    return replace(
        from_ground,
        standing=replace(from_ground.standing, now=now),
        monotonic=1000.0 + elapsed if monotonic is None else monotonic,
        stretches=stretches_around(BAKES, now),
    )


def test_a_message_whose_ground_holds_may_be_sent() -> None:
    assert lost_ground(ground(ActivityWindow(activity="bake", kind=WindowKind.DURING))) is None


@pytest.mark.parametrize("seconds", [120, 121, 3600])
def test_the_lease_ends_after_two_minutes(seconds: float) -> None:
    assert lost_ground(ground(seconds=seconds)) is Reason.LEASE


def test_the_lease_holds_until_two_minutes_have_passed() -> None:
    assert lost_ground(ground(seconds=119.9)) is None


@pytest.mark.parametrize("jump", [-3600, -10, 10, 90])
def test_a_clock_that_was_set_takes_the_ground_away(jump: float) -> None:
    assert lost_ground(moved(ground(), NOW + timedelta(seconds=20 + jump), monotonic=1020.0)) is Reason.CLOCK


def test_an_observation_of_another_process_is_not_compared_with_this_ones_clock() -> None:
    taken_over = ground()
    foreign = replace(taken_over, observation=replace(taken_over.observation, monotonic=None), monotonic=3.0)
    assert lost_ground(foreign) is None


def test_another_revision_takes_the_ground_away() -> None:
    held = ground()
    changed = replace(held.standing, subscription=replace(SUBSCRIPTION, revision=8))
    assert lost_ground(replace(held, standing=changed)) is Reason.CHANGED


def test_a_recipient_who_spoke_since_takes_the_ground_away() -> None:
    held = ground()
    spoke = replace(held.standing, subscription=replace(SUBSCRIPTION, spoke_at=NOW + timedelta(seconds=1)))
    assert lost_ground(replace(held, standing=spoke)) is Reason.SPOKE


def test_another_schedule_takes_the_ground_away() -> None:
    edited = fingerprint(timetable("bake 09:00-10:00"), NOW)
    assert lost_ground(replace(ground(), fingerprint=edited)) is Reason.FINGERPRINT


def test_outside_of_the_slots_window_nothing_is_sent() -> None:
    late = at("2026-05-04T11:00")
    held = ground()
    observation = replace(held.observation, observed_at=late - timedelta(seconds=20))
    assert lost_ground(replace(moved(held, late, monotonic=1020.0), observation=observation)) is Reason.WINDOW


@pytest.mark.parametrize(
    ("moment", "reason"),
    [
        ("2026-10-25T00:40:00+00:00", None),  # 2:40, the first time
        ("2026-10-25T01:10:00+00:00", Reason.WINDOW),  # 2:10 again
        ("2026-10-25T01:40:00+00:00", None),  # 2:40 again
    ],
)
def test_minutes_before_a_window_that_come_again_within_it_are_outside(moment: str, reason: Reason | None) -> None:
    now, berlin, limits = datetime.fromisoformat(moment), ZoneInfo("Europe/Berlin"), limits_of(NIGHT, Wishes(), 0)
    assert limits is not None
    (slot,) = slots_of_day(RECIPIENT, date(2026, 10, 25), limits, berlin)
    held = moved(ground(), now, monotonic=1020.0)
    observation = replace(held.observation, observed_at=now - timedelta(seconds=20))
    standing = replace(held.standing, zone=berlin, limits=limits)
    assert lost_ground(replace(held, slot=slot, standing=standing, observation=observation)) is reason


def test_outside_of_the_candidates_window_nothing_is_sent() -> None:
    assert lost_ground(ground(ActivityWindow(activity="bake", kind=WindowKind.AFTER, within_minutes=30))) is (
        Reason.WINDOW
    )


def test_what_speaks_against_speaking_at_all_is_told_at_the_end() -> None:
    held = ground()
    assert lost_ground(replace(held, standing=replace(held.standing, frozen=True))) is Reason.FROZEN
