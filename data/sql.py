"""The named queries of `data/queries`, run with one hop to a connection's thread each.

aiosql reads the files; its own aiosqlite adapter is not used, since it takes three hops for a query and hands
rows out through a generator.
"""

import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path

import aiosql
import aiosqlite

Value = int | str | bytes | None
"""What a parameter may be."""

_FOLDER = Path(__file__).parent / "queries"


class NamedQueries:
    """Every query by its name; parameters are named as in the SQL."""

    def __init__(self, folder: Path = _FOLDER) -> None:
        loaded = aiosql.from_path(folder, "aiosqlite", kwargs_only=True)
        names = (name for name in loaded.available_queries if not name.endswith("_cursor"))
        self._sql: Mapping[str, str] = {name: getattr(loaded, name).sql for name in names}
        self._parameters = {name: tuple(getattr(loaded, name).parameters or ()) for name in self._sql}
        self.purposes: Mapping[str, str | None] = {name: getattr(loaded, name).__doc__ for name in self._sql}

    def statement(self, name: str) -> tuple[str, tuple[str, ...]]:
        """Return a query's SQL and the names of its parameters."""
        return self._sql[name], self._parameters[name]

    async def rows(self, connection: aiosqlite.Connection, name: str, **parameters: Value) -> list[sqlite3.Row]:
        """Return all rows."""
        return list(await connection.execute_fetchall(self._sql[name], parameters))

    async def row(self, connection: aiosqlite.Connection, name: str, **parameters: Value) -> sqlite3.Row | None:
        """Return the first row, or None."""
        found = await self.rows(connection, name, **parameters)
        return found[0] if found else None

    async def number(self, connection: aiosqlite.Connection, name: str, **parameters: Value) -> int:
        """Return the first column of the first row as a number; 0 without a row."""
        found = await self.row(connection, name, **parameters)
        return int(found[0]) if found is not None else 0

    async def run(self, connection: aiosqlite.Connection, name: str, **parameters: Value) -> int:
        """Run a statement; return how many rows it changed."""
        return (await connection.execute(self._sql[name], parameters)).rowcount

    async def run_many(
        self, connection: aiosqlite.Connection, name: str, parameters: Iterable[Mapping[str, Value]]
    ) -> int:
        """Run a statement once per set of parameters; return how many rows were changed in all."""
        return max(0, (await connection.executemany(self._sql[name], parameters)).rowcount)
