"""The file of SQLite that is copied: read from one state, never written."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from core.errors import StorageError
from data.copying.tables import ONLY_SQLITE, RowValues, Table, parents_first, storable_row
from data.migrations import load_migrations
from data.sqlite.failures import explained

_SECONDS = 5.0


class SqliteSource:
    """An open file; everything is read as it was when it was opened."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        with explained(self.path):
            self._connection = sqlite3.connect(
                f"{self.path.as_uri()}?mode=ro", uri=True, timeout=_SECONDS, isolation_level=None
            )
            self._version = self._number("PRAGMA data_version")
            self._connection.execute("BEGIN")

    def require_current(self) -> None:
        """Refuse a file of another version: only what both sides know can be copied.

        Raises:
            StorageError: It is older or newer than the program.
        """
        with explained(self.path):
            schema, newest = self._number("PRAGMA user_version"), load_migrations()[-1].number
        if schema < newest:
            raise StorageError(
                f"{self.path}: the database has schema {schema}, this program {newest}: bring it up to date first with "
                "`yorisoi migrate` (without --to, and without YORISOI_DATABASE_URL)"
            )
        if schema > newest:
            raise StorageError(f"{self.path}: the database belongs to a newer Yorisoi: update the program")

    def tables(self) -> list[Table]:
        """Return what is to be copied, each table after those it refers to."""
        with explained(self.path):
            names = [name for (name,) in self._all("SELECT name FROM sqlite_master WHERE type = 'table'")]
            ours = [name for name in names if not name.startswith(("sqlite_", *ONLY_SQLITE))]
            parents = {
                name: {row[0] for row in self._all('SELECT "table" FROM pragma_foreign_key_list(?)', name)}
                for name in ours
            }
            return [self._table(name) for name in parents_first(parents)]

    def count(self, table: Table) -> int:
        """Return how many rows a table has."""
        with explained(self.path):
            return self._number(f"SELECT count(*) FROM {table.name}")  # noqa: S608 - a name of the schema

    def numbers(self) -> dict[str, int]:
        """Return the last number that each table gave out which never gives one twice."""
        with explained(self.path):
            return dict(self._all("SELECT name, seq FROM sqlite_sequence"))

    def portions(self, table: Table, *, after: RowValues | None, size: int) -> Iterator[list[RowValues]]:
        """Go through a table in the order of its key, from the row after that key on."""
        key, holes = ", ".join(table.key), ", ".join("?" * len(table.key))
        where = f"WHERE ({key}) > ({holes})" if after is not None else ""
        query = f"SELECT {', '.join(table.columns)} FROM {table.name} {where} ORDER BY {key}"  # noqa: S608
        with explained(self.path):
            cursor = self._connection.execute(query, after or ())
            while rows := cursor.fetchmany(size):
                yield [storable_row(row) for row in rows]

    def changed_meanwhile(self) -> bool:
        """Return whether somebody wrote to the file since it was opened; what is read from now on is newer."""
        with explained(self.path):
            self._connection.rollback()
            return self._number("PRAGMA data_version") != self._version

    def __enter__(self) -> Self:
        """Return the open file."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        self._connection.close()

    def _table(self, name: str) -> Table:
        columns = self._all("SELECT name, pk FROM pragma_table_info(?)", name)
        key = sorted((place, column) for column, place in columns if place)
        return Table(name, tuple(column for column, _ in columns), tuple(column for _, column in key))

    def _all(self, query: str, *values: str) -> list[tuple[Any, ...]]:
        return self._connection.execute(query, values).fetchall()

    def _number(self, query: str) -> int:
        (number,) = self._connection.execute(query).fetchone()
        return int(number)
