"""Opens the database that the settings name: a file of SQLite, or a server of PostgreSQL."""

from datetime import timedelta
from pathlib import Path

from data.connection import Database
from data.erasure import Eraser
from data.sql import NamedQueries
from data.sqlite.connection import SqliteDatabase
from data.sqlite.erasure import SqliteEraser

Place = Path | str
"""A file of SQLite, or the address of a PostgreSQL server."""


async def open_database(place: Place, *, busy_timeout: timedelta = timedelta(seconds=5)) -> Database:
    """Open a database without looking at its schema.

    Raises:
        StorageError: It can't be used.
    """
    if isinstance(place, Path):
        return await SqliteDatabase.open(place, busy_timeout=busy_timeout)
    from data.postgresql.connection import PostgresDatabase  # noqa: PLC0415 - an extra; SQLite does without

    return await PostgresDatabase.open(place, busy_timeout=busy_timeout)


def eraser_for(database: Database, queries: NamedQueries) -> Eraser:
    """Return what removes the remains of deleted rows in a database."""
    if isinstance(database, SqliteDatabase):
        return SqliteEraser(database=database, queries=queries)
    from data.postgresql.erasure import PostgresEraser  # noqa: PLC0415

    return PostgresEraser(database=database)
