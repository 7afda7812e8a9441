"""Waiting with a limit, on a `Clock`."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from core.clock import Clock

T = TypeVar("T")


async def within(clock: Clock, seconds: float, work: Coroutine[Any, Any, T]) -> T:
    """Return what `work` returns; cancel it and raise `TimeoutError` when the clock has moved on by `seconds`."""
    task = asyncio.ensure_future(work)
    timer = asyncio.ensure_future(clock.sleep(seconds))
    try:
        await asyncio.wait({task, timer}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise TimeoutError
        return task.result()
    finally:
        task.cancel()
        timer.cancel()
        await asyncio.gather(task, timer, return_exceptions=True)


class Patience:
    """How long one answer is waited for: for each piece of it, and for the whole."""

    def __init__(self, clock: Clock, *, piece: float, total: float) -> None:
        self._clock = clock
        self._piece = piece
        self._ends_at = clock.monotonic() + total
        self._piece_ends_at = clock.monotonic() + piece

    async def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """Return what `work` returns; raise `TimeoutError` when patience ends first."""
        return await within(self._clock, min(self._ends_at, self._piece_ends_at) - self._clock.monotonic(), work)

    def renew(self) -> None:
        """Note that a piece has come: the wait for the next begins."""
        self._piece_ends_at = self._clock.monotonic() + self._piece
