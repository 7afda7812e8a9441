"""The PostgreSQL database that a copy goes to. How far it has come stands in the table `copying` until it is done."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from types import TracebackType
from typing import Any, LiteralString, Self

import psycopg
from psycopg import sql

from core.errors import StorageError
from data.copying.tables import RowValues, Table
from data.migrations import load_migrations, migrate
from data.postgresql.address import Address
from data.postgresql.connection import PostgresDatabase
from data.postgresql.failures import explain_connecting, explained

_BOOK: LiteralString = """
CREATE TABLE copying (
    name TEXT PRIMARY KEY,
    source TEXT NOT NULL,
    rows BIGINT NOT NULL DEFAULT 0,
    last_key TEXT
)
"""
_FETCHED = 2000
_UNHEARD = timedelta(minutes=1)
"""A server that is busy writing what it was sent may let a sender wait for longer than one that answers a chat."""
# Locks have two numbers; data/queries/postgresql/holds.sql has the other names.
_HOLD: LiteralString = "SELECT pg_try_advisory_lock(7, 0)"
_ANEW = "make the database anew (`dropdb`, `createdb`), or choose an empty one"
_NOT_EMPTY = "there is something in this database already: choose an empty one"


async def make_ready(url: str) -> None:
    """Give an empty database its tables; one that a copy was begun into stays as it is.

    Raises:
        StorageError: The server can't be used, or the database belongs to another program or to another version of it.
    """
    migrations = load_migrations(dialect="postgresql")
    async with await PostgresDatabase.open(url, connections=1) as database:
        async with database.transaction() as connection:
            version = await database.schema.version(connection)
            begun = await database.schema.is_being_filled(connection)
        if begun and version != migrations[-1].number:
            raise StorageError(f"{database.name}: another version of the program began a copy into it: {_ANEW}")
        if not begun and 0 < version < migrations[-1].number:
            raise StorageError(f"{database.name}: {_NOT_EMPTY}")
        if not begun:
            await migrate(database, migrations)


class PostgresTarget:
    """A database with our tables, empty or partly filled by an earlier copy of the same file."""

    def __init__(self, url: str) -> None:
        self._address = Address.read(url)
        self.name = self._address.name
        try:
            self._connection = psycopg.connect(url, autocommit=True, **self._address.link(unheard=_UNHEARD))
        except psycopg.Error as error:
            raise StorageError(explain_connecting(error, self._address)) from None

    def begin(self, tables: Sequence[Table], source: str, *, restart: bool) -> dict[str, tuple[int, RowValues | None]]:
        """Return for each table how many rows an earlier copy brought and the key of the last one.

        Raises:
            StorageError: There is something else in the database, or another copy is at work.
        """
        with explained(self.name):
            if not self._one(_HOLD):
                raise StorageError(f"{self.name}: another copy into this database is at work: wait for its end")
            if self._one("SELECT to_regclass('copying') IS NOT NULL"):
                self._require_same(source)
                if restart:
                    self._empty(tables)
            else:
                self._require_empty(tables)
                self._note_begin(tables, source)
            rows = self._connection.execute("SELECT name, rows, last_key FROM copying").fetchall()
        return {name: (count, None if key is None else tuple(json.loads(key))) for name, count, key in rows}

    def add(self, table: Table, rows: Sequence[RowValues], *, count: int) -> None:
        """Store rows and, in the same transaction, that so many (`count`) are there up to the last of them."""
        columns = sql.SQL(", ").join(map(sql.Identifier, table.columns))
        copy = sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier(table.name), columns)
        with explained(self.name), self._connection.transaction(), self._connection.cursor() as cursor:
            with cursor.copy(copy) as stream:
                for row in rows:
                    stream.write_row(row)
            cursor.execute(
                "UPDATE copying SET rows = %s, last_key = %s WHERE name = %s",
                (count, json.dumps(table.key_of(rows[-1])), table.name),
            )

    def rows(self, table: Table) -> Iterator[RowValues]:
        """Go through the rows of a table, in no order."""
        columns = sql.SQL(", ").join(map(sql.Identifier, table.columns))
        query = sql.SQL("SELECT {} FROM {}").format(columns, sql.Identifier(table.name))
        with explained(self.name), self._connection.transaction(), self._connection.cursor(name="copied") as cursor:
            cursor.itersize = _FETCHED
            cursor.execute(query)
            yield from cursor

    def finish(self, tables: Sequence[Table], numbers: Mapping[str, int]) -> None:
        """Go on counting ids where the file's end, and open the database to the program.

        `numbers` holds the last number of tables that never give one twice.
        """
        with explained(self.name), self._connection.transaction():
            for table in tables:
                self._count_on(table, numbers.get(table.name, 0))
            self._connection.execute("DROP TABLE copying")
        with explained(self.name):
            self._connection.execute("ANALYZE")

    def __enter__(self) -> Self:
        """Return the open database."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        self._connection.close()

    def _count_on(self, table: Table, number: int) -> None:
        """Let the next id follow the last one, where the database gives them out."""
        name, column = sql.Literal(table.name), table.key[0]
        sequence = self._one(sql.SQL("SELECT pg_get_serial_sequence({}, {})").format(name, sql.Literal(column)))
        if sequence is None:
            return
        largest = sql.SQL("SELECT max({}) FROM {}").format(sql.Identifier(column), sql.Identifier(table.name))
        last = max(number, self._one(largest) or 0)
        if last:
            self._connection.execute("SELECT setval(%s::regclass, %s)", (sequence, last))

    def _require_same(self, source: str) -> None:
        begun_from = self._one("SELECT min(source) FROM copying")
        if begun_from != source:
            raise StorageError(
                f"{self.name}: a copy of another file ({begun_from}) was begun into this database: {_ANEW}"
            )

    def _require_empty(self, tables: Sequence[Table]) -> None:
        for table in tables:
            if self._one(sql.SQL("SELECT EXISTS (SELECT 1 FROM {})").format(sql.Identifier(table.name))):
                raise StorageError(f"{self.name}: {_NOT_EMPTY}")

    def _note_begin(self, tables: Sequence[Table], source: str) -> None:
        with self._connection.transaction():
            self._connection.execute(_BOOK)
            for table in tables:
                self._connection.execute("INSERT INTO copying (name, source) VALUES (%s, %s)", (table.name, source))

    def _empty(self, tables: Sequence[Table]) -> None:
        with self._connection.transaction():
            names = sql.SQL(", ").join(sql.Identifier(table.name) for table in tables)
            self._connection.execute(sql.SQL("TRUNCATE {}").format(names))
            self._connection.execute("UPDATE copying SET rows = 0, last_key = NULL")

    def _one(self, query: LiteralString | sql.Composed) -> Any:  # noqa: ANN401 - whatever was asked for
        (value,) = self._connection.execute(query).fetchone() or (None,)
        return value
