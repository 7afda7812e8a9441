"""Wires ticks to APScheduler. A job holds no logic: it reads the clock and calls a tick."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime, timedelta
from types import TracebackType
from typing import Any, Self

from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.interval import IntervalTrigger

from core.clock import Clock
from scheduler.housekeeping import HousekeepingTick
from scheduler.proactive import ProactiveTick

# A machine that slept runs a missed job once, however late it wakes.
_DEFAULTS: dict[str, Any] = {"coalesce": True, "max_instances": 1, "misfire_grace_time": None}
_HOUSEKEEPING = "housekeeping"
_LOOK_AT_CLOCK_SECONDS = 5.0
_SLACK = timedelta(seconds=1)


class Jobs:
    """The running scheduler: an async context manager around the ticks it was given."""

    def __init__(
        self,
        *,
        clock: Clock,
        housekeeping: HousekeepingTick,
        housekeeping_minutes: int = 60,
        ticked: Callable[[], None] = lambda: None,
        leads: Callable[[], bool] = lambda: True,
    ) -> None:
        """Take the ticks; `ticked` is called whenever one has come to its end.

        `leads` says whether this process does what is done once for all processes: everything but speaking first.
        """
        self._clock = clock
        self._ticked = ticked
        self._leads = leads
        self._housekeeping = housekeeping
        self._minutes = housekeeping_minutes
        self._speaking: dict[str, ProactiveTick] = {}
        self._regular: list[str] = []
        self._under_way: dict[str, asyncio.Task[object]] = {}
        self._scheduler = AsyncIOScheduler(job_defaults=_DEFAULTS, timezone="UTC")

    async def __aenter__(self) -> Self:
        """Start; the first housekeeping runs at once, since the program may have been off for days."""
        self._add(
            _HOUSEKEEPING,
            self._once_for_all(self._housekeeping.tick),
            IntervalTrigger(minutes=self._minutes, timezone="UTC"),
        )
        self._scheduler.start()
        self._watching = asyncio.create_task(self._watch_clock())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop; a tick under way is cancelled, which rolls its transaction back, and waited for."""
        for character in list(self._speaking):
            await self.fall_silent(character)
        self._watching.cancel()
        await asyncio.gather(self._watching, return_exceptions=True)
        self._scheduler.shutdown(wait=False)
        for name in (*self._regular, _HOUSEKEEPING):
            await self._stop(name)

    def speak_first(self, character: str, tick: ProactiveTick, *, seconds: float) -> None:
        """Let a character speak first from now on, looking every so many seconds who is due."""
        self._speaking[character] = tick
        self._add(_job_of(character), tick.tick, IntervalTrigger(seconds=seconds, timezone="UTC"))

    async def fall_silent(self, character: str) -> None:
        """Let a character speak first no more, and stop what is under way; nothing if it doesn't speak first."""
        tick = self._speaking.pop(character, None)
        if tick is None:
            return
        self._scheduler.remove_job(_job_of(character))
        await self._stop(_job_of(character))
        await tick.close()

    async def let_go(self, character: str, user_id: int) -> None:
        """Stop what a character is about to say first to a person."""
        if (tick := self._speaking.get(character)) is not None:
            await tick.let_go(user_id)

    def every(self, name: str, tick: Callable[[datetime], Awaitable[object]], *, seconds: float) -> None:
        """Do something again and again from now on, until the end of the program; once for all processes."""
        self._regular.append(name)
        self._add(name, self._once_for_all(tick), IntervalTrigger(seconds=seconds, timezone="UTC"))

    @property
    def next_runs(self) -> dict[str, datetime | None]:
        """When each job runs next."""
        return {job.id: job.next_run_time for job in self._scheduler.get_jobs()}

    def _once_for_all(self, tick: Callable[[datetime], Awaitable[object]]) -> Callable[[datetime], Awaitable[object]]:
        async def led(now: datetime) -> object:
            return await tick(now) if self._leads() else None

        return led

    def _add(self, name: str, tick: Callable[[datetime], Awaitable[object]], trigger: IntervalTrigger) -> None:
        self._scheduler.add_job(
            self._run, trigger, id=name, args=(name, tick), replace_existing=True, next_run_time=self._clock.now()
        )

    async def _watch_clock(self) -> None:
        """Run what a clock that was set back has put off: the scheduler goes by wall time, and would wait for it."""
        while True:
            await self._clock.sleep(_LOOK_AT_CLOCK_SECONDS)
            now = self._clock.now()
            for job in self._scheduler.get_jobs():
                if job.next_run_time is not None and job.next_run_time - now > job.trigger.interval + _SLACK:
                    job.modify(next_run_time=now)

    async def _run(self, name: str, tick: Callable[[datetime], Awaitable[object]]) -> None:
        # A task of its own, because the scheduler cancels its jobs without waiting for them, and logs that as an error.
        task = self._under_way[name] = asyncio.ensure_future(tick(self._clock.now()))
        with suppress(asyncio.CancelledError):
            await asyncio.wait({task})
        if not task.done() or task.cancelled():
            return
        if (error := task.exception()) is not None:
            raise error
        self._ticked()

    async def _stop(self, name: str) -> None:
        task = self._under_way.pop(name, None)
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


def _job_of(character: str) -> str:
    return f"speak first: {character}"
