import asyncio
import time
from datetime import UTC, datetime, timedelta, timezone

import pytest
import time_machine

from core.clock import SimulatedClock, SystemClock

AT = datetime(2026, 11, 30, 16, 8, tzinfo=UTC)


@time_machine.travel(datetime(2026, 11, 30, 16, 8, tzinfo=timezone(timedelta(hours=9))), tick=False)
def test_the_systems_wall_time_is_aware_and_in_utc() -> None:
    now = SystemClock().now()
    assert now == datetime(2026, 11, 30, 7, 8, tzinfo=UTC)
    assert now.tzinfo is UTC


def test_a_simulated_clock_wants_an_aware_start() -> None:
    with pytest.raises(ValueError, match="aware"):
        SimulatedClock(datetime(2026, 11, 30, 16, 8))  # noqa: DTZ001


async def test_sleepers_wake_in_the_order_of_their_due_times() -> None:
    clock = SimulatedClock(AT)
    woken: list[tuple[str, datetime]] = []

    async def sleep(name: str, seconds: float) -> None:
        await clock.sleep(seconds)
        woken.append((name, clock.now()))

    tasks = [asyncio.create_task(sleep("late", 2)), asyncio.create_task(sleep("early", 1))]
    await clock.advance(0)
    assert clock.sleepers == 2
    await clock.advance(3)
    await asyncio.gather(*tasks)
    assert woken == [("early", AT + timedelta(seconds=1)), ("late", AT + timedelta(seconds=2))]


async def test_a_jump_of_the_wall_time_wakes_nobody() -> None:
    clock = SimulatedClock(AT)
    sleeper = asyncio.create_task(clock.sleep(10))
    await clock.advance(0)
    await clock.advance(1)
    clock.jump_to(AT + timedelta(days=1))
    await clock.advance(1)
    assert not sleeper.done()
    assert clock.monotonic() == 2
    await clock.advance(8)
    assert sleeper.done()


@pytest.mark.skipif(not hasattr(time, "CLOCK_BOOTTIME"), reason="only Linux has this clock")
def test_time_goes_on_while_the_machine_sleeps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has shards for so many seconds must not take them for its own when it wakes an hour later."""
    monkeypatch.setattr(time, "monotonic", lambda: 100.0)
    monkeypatch.setattr(time, "clock_gettime", {time.CLOCK_BOOTTIME: 3_700.0}.__getitem__)

    assert SystemClock().monotonic() == 3_700.0
