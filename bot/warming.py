"""What the first turn needs and the start doesn't: made ready once there is nothing more urgent to do.

Each piece takes a thread of its own, one after the other, so that whoever is talked with meanwhile is held up little.
Whoever needs a piece before it is its turn makes it ready themselves.
"""

import asyncio
import gc
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial

import structlog

from core.clock import Clock
from core.errors import CoreError
from core.facts.schedule.timetable import Timetable
from core.language_model.client import import_package
from core.turn.checks.registry import prepare

_log = structlog.get_logger(__name__)


class Warming:
    """Makes ready what turns need, in the order in which the first would ask for it."""

    def __init__(self, *loads: Callable[[], Awaitable[None]], clock: Clock) -> None:
        """Take what is loaded last, each in a thread of its own."""
        self._loads = loads
        self._clock = clock
        self._task: asyncio.Task[None] | None = None

    def begin(self, timetables: Iterable[Timetable] = ()) -> None:
        """Begin, if it has not begun yet; returns at once."""
        if self._task is None:
            self._task = asyncio.create_task(self._run(tuple(timetables)))

    async def close(self) -> None:
        """Go no further."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self, timetables: Sequence[Timetable]) -> None:
        now = self._clock.now()
        pieces: list[Callable[[], object]] = [partial(table.prepare, now) for table in timetables]
        for piece in (*pieces, import_package, prepare):
            await asyncio.to_thread(piece)
        try:
            for load in self._loads:
                await load()
        except (CoreError, OSError, ImportError) as error:
            # The first turn will ask for it again, and be told.
            _log.error("warming.failed", error=type(error).__name__, reason=str(error))
        # It stays as long as the program runs; looking through it again and again would hold up every conversation.
        gc.freeze()
