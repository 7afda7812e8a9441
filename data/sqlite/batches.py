"""Transactions of which nothing is asked before they end: short ones are done at once, if nobody writes just then.

All others go to the thread, those that wait together.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from data.connection import Value
from data.sqlite.parcels import ParcelConnection
from data.sqlite.quick_writes import QuickWrites

Statement = tuple[str, Mapping[str, Value]]
Rows = list[sqlite3.Row]

_LOGGED = 128
"""Transactions after which the log is moved into the file. The next is done in the thread, which waits for the disk and
begins the log anew; so whoever writes without a pause also lets others have their turn now and then."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    statements: Sequence[Statement]
    rows: "asyncio.Future[Rows]"


class Batches:
    """Whole transactions on one connection. Each is stored or fails by itself, whichever are handed over with it."""

    def __init__(
        self,
        connection: ParcelConnection,
        writing: asyncio.Lock,
        require_open: Callable[[], None],
        *,
        quick: QuickWrites | None = None,
    ) -> None:
        self.require_open = require_open
        self._quick = quick
        self._logged = 0
        self._connection = connection
        self._writing = writing
        self._waiting: list[_Waiting] = []
        self._working: asyncio.Task[None] | None = None

    async def run(self, statements: Sequence[Statement]) -> Rows:
        """Run statements in a transaction of their own; return the rows of the last one.

        Cancelled while they wait, they are not run.

        Raises:
            sqlite3.Error: One of them failed, and nothing is stored of them all.
        """
        if (done := self._done_at_once(statements)) is not None:
            return done
        rows: asyncio.Future[Rows] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(statements, rows))
        if not self._is_working:
            self._working = asyncio.create_task(self._work())
        return await rows

    async def idle(self) -> None:
        """Wait until nothing waits."""
        while self._working is not None and not self._working.done():
            await asyncio.wait([self._working])

    @property
    def _is_working(self) -> bool:
        return self._working is not None and not self._working.done()

    def _done_at_once(self, statements: Sequence[Statement]) -> Rows | None:
        self._logged += 1
        if self._quick is None or self._is_working or self._writing.locked() or self._logged > _LOGGED:
            return None
        self.require_open()
        return self._quick.run(statements)

    async def _work(self) -> None:
        """Hand over all that waits whenever it is this connection's turn to write."""
        while self._waiting:
            async with self._writing:
                waiting, self._waiting = self._waiting, []
                # Who was cancelled may have been so because somebody is forgotten: nothing is written after that.
                if batch := [one for one in waiting if not one.rows.done()]:
                    await self._hand_over(batch)

    async def _hand_over(self, batch: Sequence[_Waiting]) -> None:
        try:
            self.require_open()
            is_due = self._quick is not None and self._logged > _LOGGED
            results = await self._connection.transactions([one.statements for one in batch], checkpoint=is_due)
            if is_due:
                self._logged = 0
        except BaseException as error:
            for one in batch:
                _settle(one, error)
            if not isinstance(error, Exception):
                raise
            return
        for one, result in zip(batch, results, strict=True):
            _settle(one, result)


def _settle(waiting: _Waiting, result: Rows | BaseException) -> None:
    if waiting.rows.done():  # whoever waited was cancelled
        return
    if isinstance(result, BaseException):
        waiting.rows.set_exception(result)
    else:
        waiting.rows.set_result(result)
