"""The tick: what it begins, what it leaves alone, and that one recipient's trouble is not another's."""

from datetime import timedelta

from core.errors import DeliveryError, StorageError
from core.proactive.types import Claim, Reason, Recipient, RecipientKind
from scheduler.proactive import ProactiveTick, Ticked
from tests.fakes.models import ScriptedModel
from tests.fakes.occasions import Theatre
from tests.fakes.proactive import InMemorySlots
from tests.fakes.stores import InMemoryStores
from tests.unit.proactive.scene import at, policy

NOON = at("2026-05-04T12:00")


def theatre(**chosen: object) -> Theatre:
    return Theatre(**({"policy": policy("09:00-21:00"), "start": NOON} | chosen))  # type: ignore[arg-type]


async def due_now(stage: Theatre) -> None:
    """Subscribe somebody, and wait until they are due."""
    subscription = await stage.subscribe(Recipient("mio", RecipientKind.USER, 1))
    assert subscription.due_at is not None
    await stage.wait_until(subscription.due_at)


async def test_a_tick_begins_and_does_not_wait() -> None:
    model = ScriptedModel(['{"candidate_id": "none"}'])
    model.gate.clear()
    stage = theatre(model=model)
    await due_now(stage)

    assert await stage.tick.tick(stage.clock.now()) == Ticked(due=1)
    assert await stage.tick.tick(stage.clock.now()) == Ticked(due=0)

    model.gate.set()
    await stage.tick.idle()
    assert len(model.requests) == 1


async def test_no_more_are_worked_on_at_once_than_there_is_room_for() -> None:
    model = ScriptedModel(['{"candidate_id": "none"}'])
    model.gate.clear()
    stage = theatre(model=model, policy=policy("12:10-12:20"))
    tick = ProactiveTick(
        character="mio",
        occasions=stage.occasions,
        subscriptions=stage.stores.subscriptions,
        slots=stage.stores.slots,
        concurrency=2,
    )
    for number in range(1, 31):
        await stage.subscribe(Recipient("mio", RecipientKind.USER, number))
    (*_, fifth) = await stage.stores.subscriptions.due("mio", now=NOON + timedelta(days=1), limit=5)
    assert fifth.due_at is not None
    await stage.wait_until(fifth.due_at)

    assert (await tick.tick(stage.clock.now())).due == 5
    await model.wait_for_requests(2)
    await stage.clock.advance(0)

    assert len(model.requests) == 2
    model.gate.set()
    await tick.idle()
    assert len(model.requests) == 5


class _FailsFor(InMemorySlots):
    """A slot store that can't claim for one recipient."""

    def __init__(self, stores: InMemoryStores, recipient: Recipient, error: Exception) -> None:
        super().__init__(stores.state)
        self._recipient = recipient
        self._error = error

    async def claim(self, claim: Claim, **limits: object) -> Reason | None:
        if claim.slot.recipient == self._recipient:
            raise self._error
        return await super().claim(claim, **limits)  # type: ignore[arg-type]


async def test_one_recipients_trouble_stops_nobody_else() -> None:
    for error in (StorageError("disk full"), RuntimeError("a fault"), DeliveryError("nobody there")):
        stores = InMemoryStores()
        unlucky, lucky = (Recipient("mio", RecipientKind.USER, number) for number in (1, 2))
        stores.slots = _FailsFor(stores, unlucky, error)
        stage = theatre(stores=stores)
        for who in (unlucky, lucky):
            await stage.run_until_due(await stage.subscribe(who))

        assert [sent.recipient for sent in stage.postbox.sent] == [lucky]


async def test_a_fault_of_ours_ends_the_slot_instead_of_coming_again() -> None:
    stores = InMemoryStores()
    who = Recipient("mio", RecipientKind.USER, 1)
    stores.slots = _FailsFor(stores, who, RuntimeError("a fault"))
    stage = theatre(stores=stores)

    await stage.run_until_due(await stage.subscribe(who))

    assert (await stage.only_slot(who)).outcome == "skipped:fault"


async def test_a_store_that_fails_leaves_the_slot_for_the_next_tick() -> None:
    stores = InMemoryStores()
    who = Recipient("mio", RecipientKind.USER, 1)
    working = stores.slots
    stores.slots = _FailsFor(stores, who, StorageError("locked"))
    stage = theatre(stores=stores)
    await stage.run_until_due(await stage.subscribe(who))
    assert stage.postbox.sent == []

    stores.slots = working
    stage.open()
    await stage.clock.advance(1)
    await stage.run()

    assert len(stage.postbox.sent) == 1


async def test_a_closed_tick_begins_nothing() -> None:
    stage = theatre()
    await due_now(stage)
    await stage.tick.close()

    assert await stage.tick.tick(stage.clock.now()) == Ticked()


async def test_what_is_under_way_for_a_person_can_be_stopped() -> None:
    model = ScriptedModel(['{"candidate_id": "bread"}'])
    model.gate.clear()
    stage = theatre(model=model)
    await due_now(stage)
    await stage.tick.tick(stage.clock.now())
    await model.wait_for_requests(1)

    await stage.tick.let_go(2)
    assert (await stage.tick.tick(stage.clock.now())).due == 0
    await stage.tick.let_go(1)
    await stage.stores.privacy.forget(1)
    model.gate.set()
    await stage.run()

    assert stage.postbox.requests == 0
    assert (await stage.stores.privacy.counts(1))["proactive_slots"] == 0


async def test_closing_stops_what_is_under_way_and_the_next_start_goes_on() -> None:
    model = ScriptedModel(['{"candidate_id": "bread"}'])
    model.gate.clear()
    stage = theatre(model=model)
    await due_now(stage)
    await stage.tick.tick(stage.clock.now())
    await model.wait_for_requests(1)

    await stage.tick.close()
    assert stage.postbox.requests == 0

    model.gate.set()
    stage.open()
    await stage.clock.advance(timedelta(seconds=20).total_seconds())
    await stage.run()
    assert len(stage.postbox.sent) == 1
