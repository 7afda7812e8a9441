"""Keeping hold of shards: renewed in time, given up in time, and never acted on after that."""

import asyncio
from datetime import UTC, datetime

import pytest

from core.clock import SimulatedClock
from core.errors import StorageError
from core.ports.leases import Held
from core.sharding.shards import Shards
from core.sharding.tenure import LeasedShards, ShardsHeldError
from tests.fakes.proactive import InMemoryLeases

LOW, HIGH, ALL = Shards(0, 1, 4), Shards(2, 3, 4), Shards(0, 3, 4)
SECONDS = 15.0


class Place:
    """A database and its clock, which goes as the processes' clocks do; it may be out of reach, or hang."""

    def __init__(self) -> None:
        self.clock = SimulatedClock(datetime(2026, 11, 30, tzinfo=UTC))
        self.store = InMemoryLeases()
        self.out_of_reach = self.hangs = False

    def process(self, token: str, shards: Shards = LOW, *names: str) -> LeasedShards:
        return LeasedShards(
            store=self,
            clock=self.clock,
            shards=shards,
            names=names or ("hinata",),
            token=token,
            holder=f"machine:{token}",
            seconds=SECONDS,
        )

    async def advance(self, seconds: float) -> None:
        for _ in range(round(seconds * 2)):
            self.store.now += 0.5
            await self.clock.advance(0.5)

    async def _reach(self) -> None:
        if self.hangs:
            await asyncio.Event().wait()
        if self.out_of_reach:
            raise StorageError("out of reach")

    async def take(self, name: str, shards: Shards, *, token: str, holder: str, seconds: float) -> Held | None:
        await self._reach()
        return await self.store.take(name, shards, token=token, holder=holder, seconds=seconds)

    async def renew(self, name: str, shards: Shards, *, token: str, seconds: float) -> bool:
        await self._reach()
        return await self.store.renew(name, shards, token=token, seconds=seconds)

    async def release(self, name: str, shards: Shards, *, token: str) -> None:
        await self._reach()
        await self.store.release(name, shards, token=token)

    async def may_identify(self, name: str, bucket: int, *, seconds: float) -> float:
        return await self.store.may_identify(name, bucket, seconds=seconds)


async def test_a_process_may_act_only_once_it_has_its_shards() -> None:
    process = Place().process("a")

    assert not process.may_act
    await process.begin()
    assert process.may_act


@pytest.mark.parametrize("shards", [LOW, ALL, Shards(1, 1, 4), Shards(0, 0, 8)])
async def test_a_second_process_for_any_of_the_shards_is_refused_and_told_who_has_them(shards: Shards) -> None:
    place = Place()
    await place.process("a").begin()

    with pytest.raises(ShardsHeldError, match=r"machine:a has 0-1/4, for 15 more seconds"):
        await place.process("b", shards).begin()


async def test_processes_for_different_shards_run_side_by_side_and_one_of_them_leads() -> None:
    place = Place()
    low, high = place.process("a"), place.process("b", HIGH)
    await low.begin()
    await high.begin()

    assert (low.may_act, high.may_act) == (True, True)
    assert (low.leads, high.leads) == (True, False)


async def test_what_was_taken_before_a_refusal_is_given_back() -> None:
    place = Place()
    await place.process("a", LOW, "mio").begin()

    with pytest.raises(ShardsHeldError, match="mio"):
        await place.process("b", LOW, "hinata", "mio").begin()

    await place.process("c", LOW, "hinata").begin()


async def test_a_process_that_waits_takes_the_place_of_one_that_ends() -> None:
    place = Place()
    first, second = place.process("a"), place.process("b")
    await first.begin()
    waiting = asyncio.create_task(second.begin(wait=True))
    await place.advance(2)
    assert not waiting.done()

    await first.end()
    await place.advance(1)

    assert waiting.done()
    assert (first.may_act, second.may_act, second.leads) == (False, True, True)


async def test_a_lease_is_renewed_for_as_long_as_the_process_lives() -> None:
    place = Place()
    process = place.process("a")
    await process.begin()
    lost = asyncio.create_task(process.lost())

    await place.advance(100)

    assert process.may_act
    assert not lost.done()
    lost.cancel()


async def test_a_dead_ones_shards_and_its_lead_are_had_within_its_lease() -> None:
    place = Place()
    dead, other = place.process("a"), place.process("b", HIGH)
    await dead.begin()
    await other.begin()
    keeping = asyncio.create_task(other.lost())

    successor = place.process("c")
    waiting = asyncio.create_task(successor.begin(wait=True))
    await place.advance(SECONDS + 1)

    assert waiting.done()
    await place.advance(SECONDS / 3 + 1)
    assert successor.leads or other.leads
    keeping.cancel()


async def test_a_process_that_stood_still_past_its_lease_acts_no_more_even_before_it_notices() -> None:
    place = Place()
    process = place.process("a")
    await process.begin()

    place.clock._elapsed += SECONDS  # nothing of it runs meanwhile

    assert not process.may_act
    assert not process.leads


async def test_a_process_stops_before_its_lease_is_over() -> None:
    place = Place()
    place.out_of_reach = False
    process = place.process("a")
    await process.begin()
    lost = asyncio.create_task(process.lost())
    place.out_of_reach = True

    await place.advance(SECONDS - 1)

    assert not process.may_act
    assert lost.done()
    assert (await place.store.take("hinata", LOW, token="b", holder="b", seconds=1)) is not None


async def test_a_database_that_comes_back_in_time_costs_nothing() -> None:
    place = Place()
    process = place.process("a")
    await process.begin()
    lost = asyncio.create_task(process.lost())
    place.out_of_reach = True
    await place.advance(11)
    place.out_of_reach = False

    await place.advance(30)

    assert process.may_act
    lost.cancel()


async def test_a_database_that_gives_no_answer_is_not_waited_for_past_the_lease() -> None:
    place = Place()
    process = place.process("a")
    await process.begin()
    lost = asyncio.create_task(process.lost())
    place.hangs = True

    await place.advance(SECONDS)

    assert lost.done()


async def test_who_lost_its_shards_does_not_take_them_from_their_new_holder_when_it_ends() -> None:
    place = Place()
    old, new = place.process("a"), place.process("b")
    await old.begin()
    place.store.now += SECONDS
    place.clock._elapsed += SECONDS
    await new.begin()

    await old.end()

    assert await place.store.renew("hinata", LOW, token="b", seconds=SECONDS)
    assert not old.may_act
