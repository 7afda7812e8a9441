"""One occasion after the other, on fakes: what is sent, what is not and why, and what is recorded."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from core.characters.pack import ActivityWindow, Candidate, WindowKind
from core.errors import DeliveryError, UnreachableError
from core.proactive.attempt import Step
from core.proactive.types import Grounding, Reason, Recipient, RecipientKind, SlotState, Wishes
from core.turn.checks.base import CheckResult
from core.turn.types import AssembledTurn
from core.values import Locale
from tests.fakes.occasions import BREAD, MOSS, Theatre
from tests.fakes.outgoing import Interference
from tests.unit.proactive.scene import at, policy, timetable

ALICE = Recipient("mio", RecipientKind.USER, 1)
PLAZA = Recipient("mio", RecipientKind.CHANNEL, 200)
MORNING = at("2026-05-04T07:00")
WINDOWS = policy("09:00-11:00", per_day=2, gap=60)
BAKES = Candidate(
    id="bakes",
    text="いま{activity}中。{since}やってる。",
    cooldown_days=7,
    window=ActivityWindow(activity="bake", kind=WindowKind.DURING),
)

Act = Callable[[], Awaitable[None]]


def theatre(**chosen: object) -> Theatre:
    return Theatre(**({"policy": WINDOWS, "start": MORNING} | chosen))  # type: ignore[arg-type]


async def test_what_is_due_is_said_once_and_recorded() -> None:
    stage = theatre()
    subscription = await stage.subscribe(ALICE)

    await stage.run_until_due(subscription)
    await stage.run()

    (sent,) = stage.postbox.sent
    record = await stage.only_slot(ALICE)
    assert sent.recipient == ALICE
    assert sent.nonce == record.id
    assert len(record.id) == 20
    assert sent.text in {MOSS.text, BREAD.text}
    assert (record.state, record.message_id, record.grounding) == (SlotState.SENT, sent.message_id, Grounding.NEUTRAL)
    assert record.observed_at == record.claimed_at == record.sent_at == subscription.due_at
    assert set(record.offered) == {"moss", "bread"}
    assert record.selector == f"seed:{record.id}"
    assert "check.time:passed" in record.checks
    assert stage.keepsakes.kept == [(ALICE, sent.message_id, sent.text)]


async def test_nothing_is_said_before_it_is_due() -> None:
    stage = theatre()
    subscription = await stage.subscribe(ALICE)
    assert subscription.due_at is not None

    await stage.wait_until(subscription.due_at - timedelta(seconds=1))
    await stage.run()

    assert stage.postbox.sent == []
    assert await stage.stores.slots.recent(ALICE, limit=9) == []


async def test_the_next_slot_is_set_after_each() -> None:
    stage = theatre()
    subscription = await stage.subscribe(ALICE)

    await stage.run_until_due(subscription)

    following = await stage.stores.subscriptions.get(ALICE)
    assert following is not None
    assert following.due_at is not None
    assert following.due_at > stage.clock.now() + timedelta(hours=12)
    assert following.unanswered == 1


async def test_what_was_missed_is_recorded_and_never_sent_late() -> None:
    stage = theatre()
    subscription = await stage.subscribe(ALICE)
    assert subscription.due_at is not None

    await stage.wait_until(subscription.due_at + timedelta(seconds=120))
    await stage.run()

    assert stage.postbox.sent == []
    assert (await stage.only_slot(ALICE)).outcome == "skipped:missed"
    following = await stage.stores.subscriptions.get(ALICE)
    assert following is not None
    assert following.due_at is not None
    assert following.due_at > stage.clock.now()


async def test_a_clock_that_was_far_ahead_costs_the_occasion_and_no_more() -> None:
    stage = theatre()
    await stage.subscribe(ALICE)
    stage.clock.jump_to(MORNING + timedelta(days=300))
    await stage.run()
    stage.clock.jump_to(MORNING)

    for _ in range(2):
        await stage.run()
        mine = await stage.stores.subscriptions.get(ALICE)
        assert mine is not None
        assert mine.due_at is not None
        await stage.wait_until(mine.due_at)
    await stage.run()

    (sent,) = stage.postbox.sent
    assert MORNING + timedelta(days=1) < stage.clock.now() < MORNING + timedelta(days=2)
    assert sent.recipient == ALICE


async def test_a_schedule_bound_text_is_filled_from_the_capsule() -> None:
    stage = theatre(candidates=(BAKES,), timetable=timetable("bake 08:00-12:00", text="パン焼き"))
    subscription = await stage.subscribe(ALICE)

    await stage.run_until_due(subscription)

    (sent,) = stage.postbox.sent
    record = await stage.only_slot(ALICE)
    assert sent.text.startswith("いまパン焼き中。")
    assert "前からやってる。" in sent.text
    assert record.grounding is Grounding.SCHEDULE
    assert record.fingerprint is not None


async def test_a_text_whose_slot_nothing_fills_is_not_offered() -> None:
    lonely = Candidate(id="next", text="次は{next}だよ。", cooldown_days=7)
    stage = theatre(candidates=(lonely,))
    subscription = await stage.subscribe(ALICE)

    await stage.run_until_due(subscription)

    assert (await stage.only_slot(ALICE)).outcome == "skipped:no_candidate"


async def test_a_schedule_that_cannot_be_told_keeps_everything_from_being_said() -> None:
    stage = theatre()
    stage.schedule.broken = True
    subscription = await stage.subscribe(ALICE)

    await stage.run_until_due(subscription)

    assert stage.postbox.sent == []
    assert (await stage.only_slot(ALICE)).outcome == "skipped:no_schedule"


async def test_at_most_twelve_are_offered_in_an_order_that_is_the_slots_own() -> None:
    many = tuple(Candidate(id=f"c{n}", text=f"話題{n}", cooldown_days=1) for n in range(30))
    stage, same = theatre(candidates=many), theatre(candidates=many)
    for one in (stage, same):
        await one.run_until_due(await one.subscribe(ALICE))

    offered = (await stage.only_slot(ALICE)).offered
    assert len(offered) == 12
    assert offered == (await same.only_slot(ALICE)).offered
    assert list(offered) != sorted(offered, key=lambda name: int(name[1:]))


async def test_an_approved_draft_is_offered_in_its_language_only() -> None:
    stage = theatre(candidates=(BREAD,))
    one, two = await stage.stores.drafts.add("mio", Locale.JA, ["虹の端っこ、探したことある？", "x"], now=MORNING)
    (english,) = await stage.stores.drafts.add("mio", Locale.EN, ["Ever looked for a rainbow's end?"], now=MORNING)
    for number in (one, english):
        await stage.stores.drafts.approve("mio", number, now=MORNING)

    await stage.run_until_due(await stage.subscribe(ALICE))

    assert set((await stage.only_slot(ALICE)).offered) == {"bread", f"approved-{one}"}
    assert two not in {one, english}


async def test_a_channel_is_spoken_to_in_its_servers_language() -> None:
    stage = theatre()
    subscription = await stage.subscribe(PLAZA, locale=Locale.EN)

    await stage.run_until_due(subscription)

    assert (await stage.only_slot(PLAZA)).locale is Locale.EN
    assert stage.postbox.sent[0].recipient == PLAZA


class _Refuses:
    name = "refuses"

    def check(self, turn: AssembledTurn, text: str, *, complete: bool) -> CheckResult:
        raise ValueError(text)


async def test_a_check_that_fails_keeps_the_text_from_being_said() -> None:
    stage = theatre(checks=(_Refuses(),))
    subscription = await stage.subscribe(ALICE)

    await stage.run_until_due(subscription)

    assert stage.postbox.sent == []
    assert (await stage.only_slot(ALICE)).outcome == "skipped:review"


@pytest.mark.parametrize("text", ["夜中までドラマを一気見してた。", "三連休の初日だ、動こうぜ！"])
async def test_an_approved_draft_that_would_not_be_admitted_today_is_not_said(text: str) -> None:
    stage = theatre(candidates=())
    (number,) = await stage.stores.drafts.add("mio", Locale.JA, [text], now=MORNING)
    await stage.stores.drafts.approve("mio", number, now=MORNING)

    await stage.run_until_due(await stage.subscribe(ALICE))

    assert stage.postbox.sent == []
    assert (await stage.only_slot(ALICE)).outcome == "skipped:review"


async def test_a_text_that_tells_a_wrong_time_is_not_said() -> None:
    window = ActivityWindow(activity="bake", kind=WindowKind.DURING)
    late = Candidate(id="late", text="もう夜の11時だね。", cooldown_days=7, window=window)
    stage = theatre(candidates=(late,), timetable=timetable("bake 08:00-12:00"))
    subscription = await stage.subscribe(ALICE)

    await stage.run_until_due(subscription)

    record = await stage.only_slot(ALICE)
    assert stage.postbox.sent == []
    assert record.outcome == "skipped:review"
    assert "check.time:found:time.contradiction" in record.checks


def _interferes(stage: Theatre, what: str) -> Act:
    async def act() -> None:
        stores, now = stage.stores, stage.clock.now()
        match what:
            case "speaks":
                await stores.subscriptions.spoke("mio", user_id=1, channel_id=5, now=now)
            case "switches off":
                await stores.subscriptions.disable(ALICE, revision=1)
            case "changes":
                mine = await stores.subscriptions.get(ALICE)
                assert mine is not None
                await stores.subscriptions.put(replace(mine, wishes=Wishes(timezone="Asia/Seoul")))
            case "is frozen":
                await stores.characters.set_frozen("mio", True)
            case "is paused":
                await stores.subscriptions.pause_all(character="mio", until=now + timedelta(days=1))
            case "is suspended":
                await stores.subscriptions.suspend(1, until=now + timedelta(days=1))
            case "opts out":
                await stores.users.set_opted_out(1, True)
            case "takes long":
                await stage.clock.advance(120)
            case "the clock is set":
                stage.clock.jump_to(now + timedelta(seconds=30))
            case "the clock is set back":
                stage.clock.jump_to(now - timedelta(seconds=30))
            case "the schedule changes":
                stage.schedule.timetable = timetable("walk 08:00-12:00")
            case "the schedule breaks":
                stage.schedule.broken = True
            case "is forgotten":
                await stores.privacy.forget(1)

    return act


@pytest.mark.parametrize("step", [Step.OBSERVED, Step.SELECTED, Step.REVIEWED])
@pytest.mark.parametrize(
    ("what", "reason"),
    [
        ("speaks", Reason.SPOKE),
        ("switches off", Reason.CHANGED),
        ("changes", Reason.CHANGED),
        ("is frozen", Reason.FROZEN),
        ("is paused", Reason.PAUSED),
        ("is suspended", Reason.SUSPENDED),
        ("takes long", Reason.LEASE),
        ("the clock is set", Reason.CLOCK),
        ("the clock is set back", Reason.CLOCK),
        ("the schedule changes", Reason.FINGERPRINT),
        ("the schedule breaks", Reason.NO_SCHEDULE),
    ],
)
async def test_what_changes_before_it_is_sent_keeps_it_from_being_sent(step: Step, what: str, reason: Reason) -> None:
    stage = theatre(timetable=timetable("bake 08:00-12:00"))
    assert isinstance(stage.witness, Interference)
    stage.witness.at[step] = _interferes(stage, what)
    subscription = await stage.subscribe(ALICE)

    await stage.run_until_due(subscription)

    record = await stage.only_slot(ALICE)
    assert stage.postbox.requests == 0
    assert (record.state, record.reason) == (SlotState.SKIPPED, reason)


@pytest.mark.parametrize(
    ("what", "reason"),
    [
        ("speaks", Reason.SPOKE),
        ("is frozen", Reason.FROZEN),
        ("is paused", Reason.PAUSED),
        ("is suspended", Reason.SUSPENDED),
        ("changes", Reason.CHANGED),
        ("takes long", Reason.LEASE),
    ],
)
async def test_the_last_look_finds_what_regrounding_could_not_know(what: str, reason: Reason) -> None:
    stage = theatre()
    assert isinstance(stage.witness, Interference)
    stage.witness.at[Step.REGROUNDED] = _interferes(stage, what)
    subscription = await stage.subscribe(ALICE)

    await stage.run_until_due(subscription)

    assert stage.postbox.requests == 0
    assert (await stage.only_slot(ALICE)).reason is reason


@pytest.mark.parametrize("step", [Step.CLAIMED, Step.SENDING])
@pytest.mark.parametrize("what", ["takes long", "the clock is set back"])
async def test_a_claim_whose_lease_is_over_when_it_is_to_be_sent_fails(step: Step, what: str) -> None:
    stage = theatre()
    assert isinstance(stage.witness, Interference)
    stage.witness.at[step] = _interferes(stage, what)

    await stage.run_until_due(await stage.subscribe(ALICE))

    assert stage.postbox.requests == 0
    assert (await stage.only_slot(ALICE)).outcome == "failed:lease"


@pytest.mark.parametrize("step", [Step.OBSERVED, Step.REVIEWED, Step.REGROUNDED])
async def test_of_somebody_who_opts_out_nothing_is_kept(step: Step) -> None:
    stage = theatre()
    assert isinstance(stage.witness, Interference)
    stage.witness.at[step] = _interferes(stage, "opts out")
    subscription = await stage.subscribe(ALICE)

    await stage.run_until_due(subscription)

    assert stage.postbox.requests == 0
    assert await stage.stores.slots.recent(ALICE, limit=9) == []
    assert await stage.stores.subscriptions.get(ALICE) is None


@pytest.mark.parametrize("step", [Step.OBSERVED, Step.REGROUNDED, Step.CLAIMED])
async def test_nothing_is_sent_to_somebody_who_was_forgotten(step: Step) -> None:
    stage = theatre()
    assert isinstance(stage.witness, Interference)
    stage.witness.at[step] = _interferes(stage, "is forgotten")
    subscription = await stage.subscribe(ALICE)

    await stage.run_until_due(subscription)

    assert stage.postbox.requests == 0
    assert (await stage.stores.privacy.counts(1))["proactive_slots"] == 0


async def test_a_message_to_somebody_forgotten_while_it_was_sent_is_not_kept() -> None:
    stage = theatre()
    assert isinstance(stage.witness, Interference)
    stage.witness.at[Step.DELIVERED] = _interferes(stage, "is forgotten")

    await stage.run_until_due(await stage.subscribe(ALICE))

    assert len(stage.postbox.sent) == 1
    assert stage.keepsakes.kept == []
    assert (await stage.stores.privacy.counts(1))["proactive_slots"] == 0


@pytest.mark.parametrize(("forbidden", "reason"), [(False, Reason.UNREACHABLE), (True, Reason.FORBIDDEN)])
async def test_who_cannot_be_reached_is_not_written_to_again(forbidden: bool, reason: Reason) -> None:
    stage = theatre()
    stage.postbox.faults.append(UnreachableError("HTTP 403", forbidden=forbidden))
    subscription = await stage.subscribe(ALICE)

    await stage.run_until_due(subscription)
    await stage.wait_until(stage.clock.now() + timedelta(days=2))
    await stage.run()

    record = await stage.only_slot(ALICE)
    mine = await stage.stores.subscriptions.get(ALICE)
    assert stage.postbox.requests == 1
    assert (record.state, record.reason) == (SlotState.FAILED, reason)
    assert mine is not None
    assert (mine.enabled, mine.due_at) == (False, None)


async def test_a_delivery_that_failed_is_recorded_and_the_next_slot_comes() -> None:
    stage = theatre()
    stage.postbox.faults.append(DeliveryError("no attempt got through"))
    subscription = await stage.subscribe(ALICE)

    await stage.run_until_due(subscription)

    mine = await stage.stores.subscriptions.get(ALICE)
    assert (await stage.only_slot(ALICE)).outcome == "failed:delivery"
    assert mine is not None
    assert mine.enabled
    assert mine.due_at is not None
    assert mine.due_at > stage.clock.now()


async def test_pace_stops_after_messages_nobody_answered_and_resumes_when_they_speak() -> None:
    stage = theatre(policy=replace(WINDOWS, slow_after=1, stop_after=2))
    subscription = await stage.subscribe(ALICE)
    for _ in range(2):
        await stage.run_until_due(subscription)
        mine = await stage.stores.subscriptions.get(ALICE)
        assert mine is not None
        subscription = mine
    if subscription.due_at is not None:
        await stage.run_until_due(subscription)

    stopped = await stage.stores.subscriptions.get(ALICE)
    assert stopped is not None
    assert (stopped.due_at, stopped.unanswered) == (None, 2)

    await stage.stores.subscriptions.spoke("mio", user_id=1, channel_id=5, now=stage.clock.now())
    await stage.run()

    resumed = await stage.stores.subscriptions.get(ALICE)
    assert resumed is not None
    assert resumed.due_at is not None
    assert resumed.due_at > stage.clock.now()
