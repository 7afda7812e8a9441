"""A unit of work on the writing connection, which is held from the first statement whose outcome is asked for."""

import asyncio
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

from data.connection import Done, Posting, Value
from data.sqlite.batches import Batches, Statement
from data.sqlite.parcels import ParcelConnection

_NOTHING: Mapping[str, Value] = {}


class Transaction(Posting):
    """`data.connection.Connection` in a transaction.

    One that only posts, and at most asks for the rows of its last statement, never holds the connection: it waits as a
    whole, and goes to the thread with the others that do.
    """

    __slots__ = ("_batches", "_connection", "_held", "_over", "_posted", "_writing")

    def __init__(self, connection: ParcelConnection, writing: asyncio.Lock, batches: Batches) -> None:
        self._connection = connection
        self._writing = writing
        self._batches = batches
        self._posted: list[Statement] = []
        self._held = False
        self._over = False

    async def execute_fetchall(self, sql: str, parameters: Mapping[str, Value] | None = None) -> Iterable[sqlite3.Row]:
        """Run a statement and return all its rows."""
        return await self._connection.rows(await self._before(), sql, parameters or _NOTHING)

    async def execute(self, sql: str, parameters: Mapping[str, Value] | None = None) -> Done:
        """Run a statement."""
        return await self._connection.run(await self._before(), sql, parameters or _NOTHING)

    async def executemany(self, sql: str, parameters: Iterable[Mapping[str, Value]]) -> Done:
        """Run a statement once per set of parameters."""
        return await self._connection.run_many(await self._before(), sql, list(parameters))

    def post(self, sql: str, parameters: Mapping[str, Value]) -> None:
        """Have a statement run before the next one, or at the end of the transaction."""
        self._posted.append((sql, parameters))

    async def last(self, sql: str, parameters: Mapping[str, Value]) -> Iterable[sqlite3.Row]:
        """Run the last statement and end the transaction; return its rows."""
        if self._held:
            rows = await self.execute_fetchall(sql, parameters)
            await self.commit()
            return rows
        self._over = True
        return await self._batches.run([*self._posted, (sql, parameters)])

    async def commit(self) -> None:
        """Run what is posted, and end the transaction; nothing if it never began."""
        if self._over:
            return
        if self._held:
            await self._connection.run(await self._before(), "COMMIT", _NOTHING)
        elif self._posted:
            await self._batches.run(self._posted)
        self._over = True

    async def undo(self) -> None:
        """Undo what was done, also after a failed BEGIN or COMMIT: without a transaction this does nothing."""
        if self._held:
            with suppress(sqlite3.Error, ValueError):  # the latter where the connection was closed meanwhile
                await self._connection.rollback()

    def release(self) -> None:
        """Let the next one write."""
        if self._held:
            self._held = False
            self._writing.release()

    async def _before(self) -> Sequence[Statement]:
        """Return what has to be run first."""
        if self._over:
            raise RuntimeError("the transaction has ended")
        begin: list[Statement] = []
        if not self._held:
            await self._writing.acquire()
            self._held = True
            self._batches.require_open()
            begin = [("BEGIN IMMEDIATE", _NOTHING)]
        posted, self._posted = self._posted, []
        return [*begin, *posted]
