"""The only reader of time. Everything else takes a `Clock` or a `now`."""

import asyncio
import heapq
import time
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Protocol

# Linux's other clock stands still while the machine sleeps, and leases don't. Elsewhere there is only the one.
_GOES_ON: int | None = getattr(time, "CLOCK_BOOTTIME", None)


class Clock(Protocol):
    """Aware wall time, monotonic time and waiting, so that a simulated clock can drive all three."""

    def now(self) -> datetime:
        """Return the wall time, aware, in UTC."""

    def monotonic(self) -> float:
        """Return seconds on a clock that never goes back; only differences mean anything."""

    async def sleep(self, seconds: float) -> None:
        """Wait for that long on this clock; returns at once for zero or less."""


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """Return the wall time, aware, in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Return seconds that go on while the machine sleeps, where it has such a clock."""
        return time.monotonic() if _GOES_ON is None else time.clock_gettime(_GOES_ON)

    async def sleep(self, seconds: float) -> None:
        """Wait on the running event loop."""
        await asyncio.sleep(max(0.0, seconds))


class SimulatedClock:
    """A clock that moves only when told to; sleepers wake in the order of their due times."""

    def __init__(self, start: datetime) -> None:
        if start.tzinfo is None:
            raise ValueError("a simulated clock starts at an aware datetime")
        self._now = start.astimezone(UTC)
        self._elapsed = 0.0
        self._order = count()
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []

    def now(self) -> datetime:
        """Return the simulated wall time, in UTC."""
        return self._now

    def monotonic(self) -> float:
        """Return the seconds the clock was advanced by; jumps of the wall time don't count."""
        return self._elapsed

    async def sleep(self, seconds: float) -> None:
        """Wait until `advance` has passed the due time."""
        if seconds <= 0:
            return
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self._elapsed + seconds, next(self._order), woken))
        await woken

    @property
    def sleepers(self) -> int:
        """How many tasks are waiting on this clock."""
        return sum(not woken.done() for _, _, woken in self._sleepers)

    async def advance(self, seconds: float) -> None:
        """Move on, waking each sleeper at its own time and letting it run before the next."""
        end = self._elapsed + seconds
        while self._sleepers and self._sleepers[0][0] <= end:
            due, _, woken = heapq.heappop(self._sleepers)
            self._move_to(due)
            if not woken.done():
                woken.set_result(None)
            await _let_others_run()
        self._move_to(end)
        await _let_others_run()

    def jump_to(self, wall: datetime) -> None:
        """Set the wall time, forward or back, as an operator or NTP would; monotonic time stays."""
        self._now = wall.astimezone(UTC)

    def _move_to(self, elapsed: float) -> None:
        self._now += timedelta(seconds=elapsed - self._elapsed)
        self._elapsed = elapsed


async def _let_others_run() -> None:
    for _ in range(20):
        await asyncio.sleep(0)
