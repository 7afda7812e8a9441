"""A connection to a file that takes several statements at a time: to hand one over costs more than most of them do."""

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import aiosqlite

from data.connection import Done, Posting, Value

_Result = TypeVar("_Result")
_Statement = tuple[str, Mapping[str, Value]]
_NOTHING: Mapping[str, Value] = {}


class ParcelConnection(aiosqlite.Connection):
    """aiosqlite's connection; statements handed over together run one after the other, up to the first that fails."""

    @classmethod
    def to(cls, path: Path | str, **options: Any) -> "ParcelConnection":  # noqa: ANN401 - those of `sqlite3.connect`
        """Return a connection, to be awaited once; see `aiosqlite.connect`."""
        return cls(lambda: sqlite3.connect(str(path), **options), iter_chunk_size=64)

    async def run(self, before: Sequence[_Statement], sql: str, parameters: Mapping[str, Value]) -> sqlite3.Cursor:
        """Run statements, then one whose cursor is returned."""

        def run() -> sqlite3.Cursor:
            self._run_all(before)
            return self._conn.execute(sql, parameters)

        return await self._hand_over(run)

    async def rows(self, before: Sequence[_Statement], sql: str, parameters: Mapping[str, Value]) -> list[sqlite3.Row]:
        """Run statements, then one whose rows are returned."""

        def run() -> list[sqlite3.Row]:
            self._run_all(before)
            return self._conn.execute(sql, parameters).fetchall()

        return await self._hand_over(run)

    async def run_many(
        self, before: Sequence[_Statement], sql: str, parameters: Sequence[Mapping[str, Value]]
    ) -> sqlite3.Cursor:
        """Run statements, then one for each set of parameters."""

        def run() -> sqlite3.Cursor:
            self._run_all(before)
            return self._conn.executemany(sql, parameters)

        return await self._hand_over(run)

    async def _hand_over(self, work: Callable[[], _Result]) -> _Result:
        """Have something done in the connection's thread."""
        done: _Result = await self._execute(work)  # type: ignore[no-untyped-call]
        return done

    def _run_all(self, statements: Sequence[_Statement]) -> None:
        for sql, parameters in statements:
            self._conn.execute(sql, parameters)


class Transaction(Posting):
    """`data.connection.Connection` in a transaction that begins with the first statement that is waited for."""

    __slots__ = ("_begun", "_connection", "_posted")

    def __init__(self, connection: ParcelConnection) -> None:
        self._connection = connection
        self._posted: list[_Statement] = []
        self._begun = False

    async def execute_fetchall(self, sql: str, parameters: Mapping[str, Value] | None = None) -> Iterable[sqlite3.Row]:
        """Run a statement and return all its rows."""
        return await self._connection.rows(self._before(), sql, parameters or _NOTHING)

    async def execute(self, sql: str, parameters: Mapping[str, Value] | None = None) -> Done:
        """Run a statement."""
        return await self._connection.run(self._before(), sql, parameters or _NOTHING)

    async def executemany(self, sql: str, parameters: Iterable[Mapping[str, Value]]) -> Done:
        """Run a statement once per set of parameters."""
        return await self._connection.run_many(self._before(), sql, list(parameters))

    def post(self, sql: str, parameters: Mapping[str, Value]) -> None:
        """Have a statement run before the next one, or at the end of the transaction."""
        self._posted.append((sql, parameters))

    async def commit(self) -> None:
        """Run what is posted, and end the transaction; nothing if it never began."""
        if self._begun or self._posted:
            await self._connection.run(self._before(), "COMMIT", _NOTHING)

    def _before(self) -> Sequence[_Statement]:
        """Return what has to be run first."""
        begin = [] if self._begun else [("BEGIN IMMEDIATE", _NOTHING)]
        posted, self._posted, self._begun = self._posted, [], True
        return [*begin, *posted]
