"""A connection to a file that takes several statements at a time: to hand one over costs more than most of them do."""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import aiosqlite

from data.connection import Value

_Result = TypeVar("_Result")
_Statement = tuple[str, Mapping[str, Value]]
_Outcome = list[sqlite3.Row] | Exception
"""Not every failure is SQLite's: a number too large for it, or half a character, is refused before it gets there."""


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

    async def transactions(self, batch: Sequence[Sequence[_Statement]], *, checkpoint: bool = False) -> list[_Outcome]:
        """Run a transaction for each list of statements; return the rows of its last one, or why it was undone.

        `checkpoint`: what is in the log is moved into the file before.
        """

        def run() -> list[_Outcome]:
            if checkpoint:
                self._checkpoint()
            together = self._together(batch) if len(batch) > 1 else None
            return [self._alone(statements) for statements in batch] if together is None else together

        return await self._hand_over(run)

    async def _hand_over(self, work: Callable[[], _Result]) -> _Result:
        """Have something done in the connection's thread."""
        done: _Result = await self._execute(work)  # type: ignore[no-untyped-call]
        return done

    def _checkpoint(self) -> None:
        with suppress(sqlite3.Error):  # whatever keeps it from being done, it will be tried again
            self._conn.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def _together(self, batch: Sequence[Sequence[_Statement]]) -> list[_Outcome] | None:
        """Run transactions as parts of one, which costs one way to the disk; None if that can't be, with all undone."""
        try:
            self._conn.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            self._undo()
            return [error for _ in batch]  # each by itself would wait as long again for whoever has the file locked
        results: list[_Outcome] = []
        try:
            for statements in batch:
                self._conn.execute("SAVEPOINT part")
                results.append(self._part(statements))
                self._conn.execute("RELEASE part")
            self._conn.execute("COMMIT")
        except sqlite3.Error:
            self._undo()
            return None
        return results

    def _part(self, statements: Sequence[_Statement]) -> _Outcome:
        try:
            return self._rows_of(statements)
        except Exception as error:  # noqa: BLE001 - whatever it is, the others are not to suffer from it
            self._conn.execute("ROLLBACK TO part")  # fails where SQLite undid everything: a full disk, for one
            return error

    def _alone(self, statements: Sequence[_Statement]) -> _Outcome:
        try:
            self._conn.execute("BEGIN IMMEDIATE")
            rows = self._rows_of(statements)
            self._conn.execute("COMMIT")
        except Exception as error:  # noqa: BLE001 - a transaction left open would swallow what is written next
            self._undo()
            return error
        return rows

    def _rows_of(self, statements: Sequence[_Statement]) -> list[sqlite3.Row]:
        self._run_all(statements[:-1])
        return self._conn.execute(*statements[-1]).fetchall()

    def _undo(self) -> None:
        with suppress(sqlite3.Error):  # where nothing began there is nothing to undo
            self._conn.rollback()

    def _run_all(self, statements: Sequence[_Statement]) -> None:
        for sql, parameters in statements:
            self._conn.execute(sql, parameters)
