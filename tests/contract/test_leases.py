"""Leases on shards: one holder at a time, and nothing is claimed by whoever lost theirs."""

import asyncio

import pytest

from core.errors import StorageError
from core.proactive.types import Reason, SlotState
from core.sharding.shards import Shards
from tests.contract.bundle import AnyStores, after
from tests.contract.test_proactive import AKI_FIRST, PLAZA, claim, slot, wanted, win

LOW, HIGH = Shards(0, 1, 4), Shards(2, 3, 4)
LONG = 60.0


async def take(stores: AnyStores, token: str, shards: Shards = LOW, *, seconds: float = LONG) -> bool:
    return await stores.leases.take("hinata", shards, token=token, holder=f"at {token}", seconds=seconds) is None


@pytest.mark.parametrize("shards", [LOW, Shards(1, 2, 4), Shards(0, 3, 4), Shards(3, 3, 8)])
async def test_shards_that_are_held_are_refused_with_their_holder(stores: AnyStores, shards: Shards) -> None:
    assert await take(stores, "a")

    held = await stores.leases.take("hinata", shards, token="b", holder="at b", seconds=LONG)

    assert held is not None
    assert (held.shards, held.holder) == (LOW, "at a")
    assert 0 < held.seconds <= LONG


async def test_other_shards_and_other_names_are_free(stores: AnyStores) -> None:
    assert await take(stores, "a")

    assert await take(stores, "b", HIGH)
    assert await stores.leases.take("mio", LOW, token="b", holder="at b", seconds=LONG) is None


async def test_of_many_that_ask_at_once_one_gets_the_shards(stores: AnyStores) -> None:
    won = await asyncio.gather(*(take(stores, str(number)) for number in range(8)))

    assert sum(won) == 1


async def test_a_lease_that_is_over_is_had_by_the_next_and_not_renewed(stores: AnyStores) -> None:
    assert await take(stores, "a", seconds=0)

    assert not await stores.leases.renew("hinata", LOW, token="a", seconds=LONG)
    assert await take(stores, "b", Shards(1, 2, 4))


async def test_only_its_holder_renews_or_releases_a_lease(stores: AnyStores) -> None:
    await take(stores, "a")

    assert await stores.leases.renew("hinata", LOW, token="a", seconds=LONG)
    assert not await stores.leases.renew("hinata", LOW, token="b", seconds=LONG)
    await stores.leases.release("hinata", LOW, token="b")
    assert not await take(stores, "b")
    await stores.leases.release("hinata", LOW, token="a")
    assert await take(stores, "b")


async def test_whoever_lost_the_shards_claims_decides_and_schedules_nothing(stores: AnyStores) -> None:
    subscription = await stores.subscriptions.put(wanted())
    await take(stores, "old", seconds=0)
    await take(stores, "new")

    with pytest.raises(StorageError):
        await win(stores, claim("c", worker="old"))
    assert not await stores.subscriptions.schedule(subscription, after(9), worker="old")
    assert await win(stores, claim("c", worker="new")) is None


async def test_whoever_released_the_shards_claims_nothing_even_if_nobody_has_taken_them(stores: AnyStores) -> None:
    await stores.subscriptions.put(wanted())
    await take(stores, "old", seconds=0)
    await take(stores, "new")
    await stores.leases.release("hinata", LOW, token="new")

    with pytest.raises(StorageError):
        await win(stores, claim("c", worker="old"))


async def test_a_claim_is_sent_and_taken_over_with_the_lease_only(stores: AnyStores) -> None:
    await stores.subscriptions.put(wanted())
    await take(stores, "old", seconds=0)
    assert await win(stores, claim("c", worker="old")) is None
    await take(stores, "new")

    assert not await stores.slots.sending("c", worker="old")
    assert not await stores.slots.take_over("c", worker="another", from_worker="old", now=after(5))
    assert await stores.slots.take_over("c", worker="new", from_worker="old", now=after(5))
    assert await stores.slots.sending("c", worker="new")
    assert await stores.slots.close("c", SlotState.SENT, now=after(1), message_id=1)


async def test_a_lease_on_other_shards_is_no_lease_on_these(stores: AnyStores) -> None:
    await stores.subscriptions.put(wanted())
    await take(stores, "other", HIGH)

    with pytest.raises(StorageError):
        await win(stores, claim("c", worker="other"))


async def test_without_leases_nobody_needs_one(stores: AnyStores) -> None:
    await stores.subscriptions.put(wanted())

    assert await win(stores, claim("c", worker="anybody")) is None
    assert await win(stores, claim("d", worker="another")) is Reason.CANCELLED


async def test_what_is_due_and_unfinished_is_found_by_the_shards_it_belongs_to(stores: AnyStores) -> None:
    for recipient in (AKI_FIRST, PLAZA):
        await stores.subscriptions.put(wanted(recipient))
        assert await win(stores, claim(f"slot of {recipient.id} {recipient.kind}", slot(recipient), worker="w")) is None
    for shards, expected in ((LOW, {AKI_FIRST, PLAZA}), (HIGH, set())):
        due = await stores.subscriptions.due("hinata", now=after(9), limit=9, shards=shards)
        open_ = await stores.slots.unfinished("hinata", claimed_before=after(99), limit=9, shards=shards)
        assert {one.recipient for one in due} == expected
        assert {one.recipient for one in open_} == expected


async def test_sessions_begin_one_at_a_time_in_each_bucket(stores: AnyStores) -> None:
    first = await stores.leases.may_identify("hinata", 0, seconds=5.0)
    second = await stores.leases.may_identify("hinata", 0, seconds=5.0)

    assert first == 0
    assert 0 < second <= 5.0
    assert await stores.leases.may_identify("hinata", 1, seconds=5.0) == 0
    assert await stores.leases.may_identify("mio", 0, seconds=5.0) == 0


async def test_a_turn_that_is_over_is_had_by_the_next(stores: AnyStores) -> None:
    assert await stores.leases.may_identify("hinata", 0, seconds=0.0) == 0
    assert await stores.leases.may_identify("hinata", 0, seconds=0.0) == 0
