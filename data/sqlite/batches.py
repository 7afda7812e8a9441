"""Transactions of which nothing is asked before they end: all that wait go to the thread together."""

import asyncio
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from data.connection import Value
from data.sqlite.parcels import ParcelConnection

Statement = tuple[str, Mapping[str, Value]]
Rows = list[sqlite3.Row]


@dataclass(frozen=True, slots=True)
class _Waiting:
    statements: Sequence[Statement]
    rows: "asyncio.Future[Rows]"


class Batches:
    """Whole transactions on one connection. Each is stored or fails by itself, whichever are handed over with it."""

    def __init__(self, connection: ParcelConnection, writing: asyncio.Lock, require_open: Callable[[], None]) -> None:
        self.require_open = require_open
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
        rows: asyncio.Future[Rows] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(statements, rows))
        if self._working is None:
            self._working = asyncio.create_task(self._work())
        return await rows

    async def idle(self) -> None:
        """Wait until nothing waits."""
        while self._working is not None:
            await asyncio.wait([self._working])

    async def _work(self) -> None:
        """Hand over all that waits whenever it is this connection's turn to write."""
        try:
            while self._waiting:
                async with self._writing:
                    waiting, self._waiting = self._waiting, []
                    # Who was cancelled may have been so because somebody is forgotten: nothing is written after that.
                    if batch := [one for one in waiting if not one.rows.done()]:
                        await self._hand_over(batch)
        finally:
            self._working = None

    async def _hand_over(self, batch: Sequence[_Waiting]) -> None:
        try:
            self.require_open()
            results = await self._connection.transactions([one.statements for one in batch])
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
