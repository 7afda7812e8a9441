"""Short transactions that are over before they could be handed to a thread: most take a twentieth of a millisecond.

What is committed goes to the log, which is not waited for to reach the disk (that is what `durable` is for), so a
transaction of a few rows is a few copies into the memory of the system. Its way to a thread and back takes several
times that, and under load it waits there for Python's lock, again after each of its statements. Whatever could
take long is left to the thread: a file that somebody else has locked, statements that turn out to be work, full text,
the log's way into the database, and everything while a disk is slow to take what is written.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from core.clock import Clock, SystemClock
from data.connection import Value

Statement = tuple[str, Mapping[str, Value]]
Rows = list[sqlite3.Row]

_NOTHING: Mapping[str, Value] = {}

_STEPS = 4000
"""Of SQLite's virtual machine, for a statement; about two tenths of a millisecond. Those of a turn take some dozens."""
_SLOW = 0.05
"""Seconds after which a transaction was too slow to be waited for."""
_LEFT_AFTERWARDS = 100
"""Transactions that are left to the thread after two in a row that were too slow: one may have been the processor."""

_UNCOUNTED = frozenset({"VUpdate", "VFilter", "VOpen"})
"""Steps on a virtual table: each is one, however long it takes."""

_PRAGMAS = (
    "PRAGMA synchronous = NORMAL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA secure_delete = ON",
    "PRAGMA temp_store = MEMORY",
    "PRAGMA wal_autocheckpoint = 0",
)


class _UncountedError(Exception):
    """A statement whose steps nobody counts."""


class QuickWrites:
    """A connection of the event loop's own, for short transactions alone; it holds none between two calls.

    Whoever uses it sees to it that no other connection of this process writes at the same time.
    """

    def __init__(self, connection: sqlite3.Connection, clock: Clock) -> None:
        self._connection = connection
        self._clock = clock
        self._known: set[str] = set()
        self._long: set[str] = set()
        self._left = 0
        self._slow = 0
        self._signs = 0
        connection.set_progress_handler(self._is_long, _STEPS)

    @classmethod
    def open(cls, path: Path, clock: Clock | None = None) -> "QuickWrites":
        """Open the file for writing; for a thread, since this looks at the disk. It has a log (WAL) already."""
        connection = sqlite3.connect(path, isolation_level=None, timeout=0.0, check_same_thread=False)
        connection.row_factory = sqlite3.Row
        for pragma in _PRAGMAS:
            connection.execute(pragma)
        return cls(connection, clock or SystemClock())

    def run(self, statements: Sequence[Statement]) -> Rows | None:
        """Run a transaction and return the rows of its last statement; None if nothing was done and a thread has to.

        What goes wrong here is left to the thread, too: it waits where the file is locked, and tells of all else.
        """
        if self._left > 0:
            self._left -= 1
            return None
        if not self._long.isdisjoint(sql for sql, _ in statements):
            return None
        began = self._clock.monotonic()
        rows = self._committed(statements)
        self._slow = self._slow + 1 if self._clock.monotonic() - began > _SLOW else 0
        if self._slow > 1:
            self._left, self._slow = _LEFT_AFTERWARDS, 0
        return rows

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _committed(self, statements: Sequence[Statement]) -> Rows | None:
        running = ""
        try:
            self._run("BEGIN IMMEDIATE")
            rows: Rows = []
            for running, parameters in statements:
                if running not in self._known:
                    self._look_at(running, parameters)
                rows = self._run(running, parameters)
            self._run("COMMIT")
        except Exception as error:  # noqa: BLE001 - a number too large, half a character: the thread meets it again
            with suppress(sqlite3.Error):  # where nothing began there is nothing to undo
                self._connection.rollback()
            if isinstance(error, _UncountedError) or _was_broken_off(error):
                self._long.add(running)
            return None
        return rows

    def _run(self, sql: str, parameters: Mapping[str, Value] = _NOTHING) -> Rows:
        """Run a statement whose steps are counted by themselves.

        A sign left from the statement before would break a COMMIT off when it has done its work already: what is
        stored would be taken for undone, and stored again.
        """
        self._signs = 0
        return self._connection.execute(sql, parameters).fetchall()

    def _look_at(self, sql: str, parameters: Mapping[str, Value]) -> None:
        """Look at the steps of a statement that is met for the first time, and of the triggers it sets off."""
        steps = self._run(f"EXPLAIN {sql}", parameters)
        if any(step["opcode"] in _UNCOUNTED for step in steps):
            raise _UncountedError
        self._known.add(sql)

    def _is_long(self) -> bool:
        """Tell SQLite whether to stop. Its count goes on from a statement's run before, so the first sign is none."""
        self._signs += 1
        return self._signs > 1


def _was_broken_off(error: Exception) -> bool:
    return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_INTERRUPT
