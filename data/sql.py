"""The named queries of `data/queries`, run with one hop to a connection each.

Most stand in the folder itself and are for every database. Those that only one kind of database understands stand in
a folder of its name. Where PostgreSQL needs a clause more, because it has many writers, the clause stands in the shared
query on a line that begins with `--postgresql`; for SQLite that is a comment.

aiosql reads the files; its own adapters are not used, since they take three hops for a query and hand rows out through
a generator.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import aiosql

from data.connection import Connection, Posting, Row, Value

__all__ = ["NamedQueries", "Value"]

_FOLDER = Path(__file__).parent / "queries"
_DRIVERS = {"sqlite": "aiosqlite", "postgresql": "psycopg"}
_ONLY_POSTGRESQL = re.compile(r"^(\s*)--postgresql (.*)$", re.MULTILINE)


class NamedQueries:
    """Every query by its name; parameters are named as in the SQL."""

    def __init__(self, dialect: str = "sqlite", folder: Path = _FOLDER) -> None:
        self._queries = _load(folder, dialect)
        self._sql: Mapping[str, str] = {name: query.sql for name, query in self._queries.items()}
        self.purposes: Mapping[str, str | None] = {name: query.__doc__ for name, query in self._queries.items()}

    def statement(self, name: str) -> tuple[str, tuple[str, ...]]:
        """Return a query's SQL and the names of its parameters."""
        return self._sql[name], tuple(self._queries[name].parameters or ())

    async def hold(self, connection: Connection, name: str, **parameters: Value) -> None:
        """Keep others from changing something until the transaction ends.

        Where there is only one writer anyway, there is no such query, and nothing to do.
        """
        await self.where_there_is(connection, name, **parameters)

    async def where_there_is(self, connection: Connection, name: str, **parameters: Value) -> None:
        """Run a statement that only one of the databases has a need for."""
        if name in self._sql:
            await self.post(connection, name, **parameters)

    async def at_once_where_there_is(self, connection: Connection, name: str) -> None:
        """Run such a statement now: what is only posted is dropped with a transaction that fails."""
        if name in self._sql:
            await self.run(connection, name)

    async def rows(self, connection: Connection, name: str, **parameters: Value) -> list[Row]:
        """Return all rows."""
        return list(await connection.execute_fetchall(self._sql[name], parameters))

    async def row(self, connection: Connection, name: str, **parameters: Value) -> Row | None:
        """Return the first row, or None."""
        found = await self.rows(connection, name, **parameters)
        return found[0] if found else None

    async def last_row(self, connection: Connection, name: str, **parameters: Value) -> Row | None:
        """Run the last statement of a transaction and return its first row, or None."""
        if not isinstance(connection, Posting):
            return await self.row(connection, name, **parameters)
        return next(iter(await connection.last(self._sql[name], parameters)), None)

    async def number(self, connection: Connection, name: str, **parameters: Value) -> int:
        """Return the first column of the first row as a number; 0 without a row."""
        found = await self.row(connection, name, **parameters)
        return int(found[0]) if found is not None else 0

    async def run(self, connection: Connection, name: str, **parameters: Value) -> int:
        """Run a statement; return how many rows it changed."""
        return (await connection.execute(self._sql[name], parameters)).rowcount

    async def post(self, connection: Connection, name: str, **parameters: Value) -> None:
        """Run a statement of which nothing is asked.

        Where the database is far away it isn't waited for: whatever is asked next, or the end of the unit of work,
        takes it along, and raises what it raises.
        """
        if isinstance(connection, Posting):
            connection.post(self._sql[name], parameters)
        else:
            await connection.execute(self._sql[name], parameters)

    async def run_many(self, connection: Connection, name: str, parameters: Iterable[Mapping[str, Value]]) -> int:
        """Run a statement once per set of parameters; return how many rows were changed in all."""
        return max(0, (await connection.executemany(self._sql[name], parameters)).rowcount)

    async def post_many(self, connection: Connection, name: str, parameters: Iterable[Mapping[str, Value]]) -> None:
        """Run a statement of which nothing is asked once per set of parameters; see `post`."""
        if isinstance(connection, Posting):
            for each in parameters:
                connection.post(self._sql[name], each)
        else:
            await connection.executemany(self._sql[name], parameters)


@cache  # reading them takes longer than opening a database
def _load(folder: Path, dialect: str) -> Mapping[str, Any]:
    loaded = aiosql.from_str(_script(folder, dialect), _DRIVERS[dialect], kwargs_only=True)
    names = (name for name in loaded.available_queries if not name.endswith("_cursor"))
    return MappingProxyType({name: getattr(loaded, name) for name in names})


def _script(folder: Path, dialect: str) -> str:
    files = sorted(folder.glob("*.sql")) + sorted((folder / dialect).glob("*.sql"))
    script = "\n".join(file.read_text(encoding="utf-8") for file in files)
    if dialect == "postgresql":
        return _ONLY_POSTGRESQL.sub(r"\1\2", script).replace("%", "%%")
    return _ONLY_POSTGRESQL.sub("", script)
