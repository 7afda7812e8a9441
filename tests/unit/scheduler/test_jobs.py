import asyncio
from datetime import datetime, timedelta

import pytest

from core.clock import SystemClock
from scheduler.housekeeping import Swept
from scheduler.jobs import Jobs
from scheduler.proactive import Ticked
from tests.fakes.occasions import Theatre
from tests.unit.proactive.scene import policy


class _Ticks:
    def __init__(self) -> None:
        self.moments: list[datetime] = []
        self.ticked = asyncio.Event()

    async def tick(self, now: datetime) -> Swept:
        self.moments.append(now)
        self.ticked.set()
        return Swept()


async def test_housekeeping_runs_at_once_after_a_start() -> None:
    ticks = _Ticks()
    async with Jobs(clock=SystemClock(), housekeeping=ticks):
        await asyncio.wait_for(ticks.ticked.wait(), timeout=10)
    assert ticks.moments[0].tzinfo is not None


async def test_housekeeping_runs_again_after_its_interval() -> None:
    ticks = _Ticks()
    async with Jobs(clock=SystemClock(), housekeeping=ticks, housekeeping_minutes=60) as jobs:
        await asyncio.wait_for(ticks.ticked.wait(), timeout=10)
        next_run = jobs.next_runs["housekeeping"]
        assert next_run is not None
        assert 0 < (next_run - ticks.moments[0]).total_seconds() <= 3600


class _SetBack(SystemClock):
    """A clock that is set back two hours when told to, and whose waits take no time."""

    def __init__(self) -> None:
        self.behind = timedelta()

    def now(self) -> datetime:
        return super().now() - self.behind

    async def sleep(self, seconds: float) -> None:
        del seconds
        await asyncio.sleep(0)


async def test_a_clock_that_is_set_back_puts_nothing_off() -> None:
    ticks, clock = _Ticks(), _SetBack()
    async with Jobs(clock=clock, housekeeping=ticks, housekeeping_minutes=60):
        await asyncio.wait_for(ticks.ticked.wait(), timeout=10)
        ticks.ticked.clear()

        clock.behind = timedelta(hours=2)

        await asyncio.wait_for(ticks.ticked.wait(), timeout=10)


async def test_a_character_speaks_first_until_it_falls_silent() -> None:
    stage = Theatre(policy=policy("09:00-21:00"), start=SystemClock().now())
    async with Jobs(clock=SystemClock(), housekeeping=_Ticks()) as jobs:
        jobs.speak_first("mio", stage.tick, seconds=0.5)
        assert "speak first: mio" in jobs.next_runs

        await jobs.fall_silent("mio")
        await jobs.fall_silent("mio")
        await jobs.let_go("mio", 1)

        assert "speak first: mio" not in jobs.next_runs
        assert await stage.tick.tick(stage.clock.now()) == Ticked()


async def test_a_second_connection_takes_the_place_of_the_first() -> None:
    stage = Theatre(policy=policy("09:00-21:00"), start=SystemClock().now())
    async with Jobs(clock=SystemClock(), housekeeping=_Ticks()) as jobs:
        jobs.speak_first("mio", stage.tick, seconds=0.5)
        jobs.speak_first("mio", stage.another("w2"), seconds=0.5)

        assert sorted(jobs.next_runs) == ["housekeeping", "speak first: mio"]


async def test_a_tick_that_raises_does_not_end_the_scheduler() -> None:
    class _Failing(_Ticks):
        async def tick(self, now: datetime) -> Swept:
            await super().tick(now)
            raise RuntimeError("boom")

    ticks = _Failing()
    async with Jobs(clock=SystemClock(), housekeeping=ticks) as jobs:
        await asyncio.wait_for(ticks.ticked.wait(), timeout=10)
        assert jobs.next_runs["housekeeping"] is not None


async def test_a_tick_under_way_is_cancelled_and_waited_for_at_the_end(caplog: pytest.LogCaptureFixture) -> None:
    class _Slow(_Ticks):
        cleaned_up = False

        async def tick(self, now: datetime) -> Swept:
            await super().tick(now)
            try:
                await asyncio.Event().wait()
            finally:
                await asyncio.sleep(0)
                self.cleaned_up = True
            return Swept()

    ticks = _Slow()
    async with Jobs(clock=SystemClock(), housekeeping=ticks):
        await asyncio.wait_for(ticks.ticked.wait(), timeout=10)
    assert ticks.cleaned_up
    await asyncio.sleep(0)
    assert caplog.records == []


async def test_what_is_done_once_for_all_processes_is_left_to_the_leader() -> None:
    ticks, others, ran = _Ticks(), _Ticks(), asyncio.Event()
    async with Jobs(clock=SystemClock(), housekeeping=ticks, ticked=ran.set, leads=lambda: False) as jobs:
        jobs.every("digests", others.tick, seconds=3600)
        await asyncio.wait_for(ran.wait(), timeout=10)
    assert (ticks.moments, others.moments) == ([], [])
