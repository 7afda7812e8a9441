"""Reads that are over before they could be handed to a thread: looking somebody up by a key takes 20 microseconds.

Handing a statement to a connection's thread and taking its rows back costs several times that, and a turn has some
fifteen of them. A reader in WAL mode waits for no writer, so the only thing to fear is work: SQLite itself counts its
steps and breaks off a read that turns out to be long. Such a statement goes to a thread from then on.
"""

import sqlite3
from collections.abc import Mapping
from pathlib import Path

from data.connection import Value

_STEPS = 2000
"""Of SQLite's virtual machine; about a tenth of a millisecond. A look-up by a key takes fewer than a hundred."""

_UNCOUNTED = "VIRTUAL TABLE"
"""A full-text search is one step, however long it takes."""


class QuickReads:
    """A connection of the event loop's own, for short reads alone.

    It holds no transaction between two calls, so that it never keeps the log from being emptied.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._long: set[str] = set()
        self._known: set[str] = set()
        self._signs = 0
        connection.set_progress_handler(self._is_long, _STEPS)

    @classmethod
    def open(cls, path: Path) -> "QuickReads":
        """Open the file for reading; for a thread, since this looks at the disk."""
        connection = sqlite3.connect(path, isolation_level=None, timeout=0.0, check_same_thread=False)
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute("PRAGMA query_only = ON")
        return cls(connection)

    def rows(self, sql: str, parameters: Mapping[str, Value]) -> list[sqlite3.Row] | None:
        """Return a statement's rows, or None if that is nothing to be done between two steps of the event loop.

        What goes wrong here is left to the thread, too: it waits where the file is locked, and tells of all else.
        """
        if sql in self._long:
            return None
        try:
            if sql not in self._known and not self._may_be_tried(sql, parameters):
                return None
            self._signs = 0
            return self._connection.execute(sql, parameters).fetchall()
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_INTERRUPT:
                self._long.add(sql)
            return None

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _is_long(self) -> bool:
        """Tell SQLite whether to stop. Its count goes on from a statement's run before, so the first sign is none."""
        self._signs += 1
        return self._signs > 1

    def _may_be_tried(self, sql: str, parameters: Mapping[str, Value]) -> bool:
        """Look at the plan of a statement that is met for the first time."""
        self._signs = 0
        plan = self._connection.execute(f"EXPLAIN QUERY PLAN {sql}", parameters).fetchall()
        if any(_UNCOUNTED in step["detail"] for step in plan):
            self._long.add(sql)
            return False
        self._known.add(sql)
        return True
