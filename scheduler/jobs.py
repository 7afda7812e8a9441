"""Wires ticks to APScheduler. A job holds no logic: it reads the clock and calls a tick."""

import asyncio
from contextlib import suppress
from datetime import datetime
from types import TracebackType
from typing import Any, Self

from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.interval import IntervalTrigger

from core.clock import Clock
from scheduler.housekeeping import HousekeepingTick, Swept

# A machine that slept runs a missed job once, however late it wakes.
_DEFAULTS: dict[str, Any] = {"coalesce": True, "max_instances": 1, "misfire_grace_time": None}


class Jobs:
    """The running scheduler: an async context manager around the ticks it was given."""

    def __init__(self, *, clock: Clock, housekeeping: HousekeepingTick, housekeeping_minutes: int = 60) -> None:
        self._clock = clock
        self._housekeeping = housekeeping
        self._minutes = housekeeping_minutes
        self._under_way: asyncio.Task[Swept] | None = None
        self._scheduler = AsyncIOScheduler(job_defaults=_DEFAULTS, timezone="UTC")

    async def __aenter__(self) -> Self:
        """Start; the first housekeeping runs at once, since the program may have been off for days."""
        self._scheduler.add_job(
            self._keep_house,
            IntervalTrigger(minutes=self._minutes, timezone="UTC"),
            id="housekeeping",
            next_run_time=self._clock.now(),
        )
        self._scheduler.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop; a tick under way is cancelled, which rolls its transaction back, and waited for."""
        self._scheduler.shutdown(wait=False)
        if self._under_way is not None:
            self._under_way.cancel()
            await asyncio.gather(self._under_way, return_exceptions=True)

    @property
    def next_runs(self) -> dict[str, datetime | None]:
        """When each job runs next."""
        return {job.id: job.next_run_time for job in self._scheduler.get_jobs()}

    async def _keep_house(self) -> None:
        # A task of its own, because the scheduler cancels its jobs without waiting for them, and logs that as an error.
        self._under_way = asyncio.create_task(self._housekeeping.tick(self._clock.now()))
        with suppress(asyncio.CancelledError):
            await asyncio.wait({self._under_way})
        if not self._under_way.done() or self._under_way.cancelled():
            return
        if (error := self._under_way.exception()) is not None:
            raise error
