"""After a crash at any point: no second message, none late, and every claim comes to an end."""

import asyncio
from datetime import timedelta

import pytest

from core.proactive.attempt import Step
from core.proactive.types import Recipient, RecipientKind, SlotState, Subscription
from tests.fakes.occasions import Theatre
from tests.fakes.outgoing import Interference
from tests.unit.proactive.scene import at, policy, timetable

ALICE = Recipient("mio", RecipientKind.USER, 1)
LATER = timedelta(seconds=15)


def theatre() -> Theatre:
    return Theatre(
        policy=policy("09:00-11:00", per_day=2, gap=60),
        start=at("2026-05-04T07:00"),
        timetable=timetable("bake 08:00-12:00"),
    )


async def crash_at(stage: Theatre, step: Step) -> Subscription:
    """Run until due; the process dies as soon as the step is reached, and another one starts."""

    async def die() -> None:
        raise asyncio.CancelledError

    assert isinstance(stage.witness, Interference)
    stage.witness.at[step] = die
    subscription = await stage.subscribe(ALICE)
    assert subscription.due_at is not None
    await stage.wait_until(subscription.due_at)
    await stage.tick.tick(stage.clock.now())
    with pytest.raises(asyncio.CancelledError):
        await stage.tick.idle()
    stage.worker = "w2"
    stage.open()
    return subscription


async def rest(stage: Theatre, seconds: float = 150) -> None:
    """Tick every second for a while."""
    for _ in range(int(seconds)):
        await stage.run()
        await stage.clock.advance(1)


@pytest.mark.parametrize("step", [Step.OBSERVED, Step.SELECTED, Step.REVIEWED, Step.REGROUNDED])
async def test_a_crash_before_the_claim_costs_nothing(step: Step) -> None:
    stage = theatre()
    await crash_at(stage, step)

    await rest(stage)

    assert len(stage.postbox.sent) == 1
    assert (await stage.only_slot(ALICE)).state is SlotState.SENT


@pytest.mark.parametrize("step", [Step.CLAIMED, Step.SENDING, Step.DELIVERED])
async def test_a_crash_after_the_claim_sends_the_same_message_again_inside_the_lease(step: Step) -> None:
    stage = theatre()
    await crash_at(stage, step)

    await rest(stage)

    (sent,) = stage.postbox.sent
    record = await stage.only_slot(ALICE)
    assert (record.state, record.message_id, record.worker) == (SlotState.SENT, sent.message_id, "w2")
    assert stage.postbox.requests == (2 if step is Step.DELIVERED else 1)
    mine = await stage.stores.subscriptions.get(ALICE)
    assert mine is not None
    assert mine.unanswered == 1


@pytest.mark.parametrize("step", [Step.CLAIMED, Step.SENDING, Step.DELIVERED])
async def test_what_is_found_after_its_lease_is_unknown_and_never_sent_late(step: Step) -> None:
    stage = theatre()
    await crash_at(stage, step)
    requests = stage.postbox.requests

    await stage.wait_until(stage.clock.now() + timedelta(seconds=120))
    await rest(stage, 5)

    assert stage.postbox.requests == requests
    assert (await stage.only_slot(ALICE)).outcome == "unknown:crashed"


async def test_a_claim_that_lost_its_ground_is_closed_as_unknown_when_its_lease_is_over() -> None:
    stage = theatre()
    await crash_at(stage, Step.CLAIMED)
    await stage.stores.subscriptions.spoke("mio", user_id=1, channel_id=5, now=stage.clock.now())

    await rest(stage, 100)
    assert (await stage.only_slot(ALICE)).state is SlotState.CLAIMED
    await rest(stage, 30)

    assert stage.postbox.requests == 0
    assert (await stage.only_slot(ALICE)).outcome == "unknown:crashed"


async def test_a_claim_whose_schedule_changed_is_not_sent_again() -> None:
    stage = theatre()
    await crash_at(stage, Step.CLAIMED)
    stage.schedule.timetable = timetable("walk 08:00-12:00")

    await rest(stage)

    assert stage.postbox.requests == 0
    assert (await stage.only_slot(ALICE)).state is SlotState.UNKNOWN


async def test_a_claim_from_the_future_is_closed_when_the_clock_was_set_back() -> None:
    stage = theatre()
    await crash_at(stage, Step.SENDING)
    stage.clock.jump_to(stage.clock.now() - timedelta(hours=3))

    await rest(stage, 5)

    assert (await stage.only_slot(ALICE)).outcome == "unknown:crashed"


async def test_a_claim_of_a_process_that_may_live_is_left_alone_at_first() -> None:
    stage = theatre()
    await crash_at(stage, Step.CLAIMED)

    await rest(stage, 9)
    assert (await stage.only_slot(ALICE)).worker == "w1"
    await rest(stage, 3)

    assert (await stage.only_slot(ALICE)).worker == "w2"


async def test_of_several_processes_one_takes_a_claim_over() -> None:
    stage = theatre()
    await crash_at(stage, Step.SENDING)
    others = [stage.another(f"w{number}") for number in range(3, 7)]
    await stage.clock.advance(LATER.total_seconds())

    await asyncio.gather(*(tick.tick(stage.clock.now()) for tick in others))
    await asyncio.gather(*(tick.idle() for tick in others))

    assert len(stage.postbox.sent) == 1
    assert (await stage.only_slot(ALICE)).state is SlotState.SENT


async def test_of_several_processes_one_sends() -> None:
    stage = theatre()
    others = [stage.another(f"w{number}") for number in range(3, 7)]
    subscription = await stage.subscribe(ALICE)
    assert subscription.due_at is not None
    await stage.wait_until(subscription.due_at)

    await asyncio.gather(*(tick.tick(stage.clock.now()) for tick in others))
    await asyncio.gather(*(tick.idle() for tick in others))

    assert len(stage.postbox.sent) == 1
    assert stage.postbox.requests == 1
