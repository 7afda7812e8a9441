"""Opens the database that the settings name: a file of SQLite, or a server of PostgreSQL."""

from datetime import timedelta
from pathlib import Path

from data.connection import Database
from data.erasure import Eraser
from data.sql import NamedQueries
from data.sqlite.connection import SqliteDatabase
from data.sqlite.erasure import SqliteEraser
from data.sqlite.reading import open_read_only

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


async def open_for_reading(place: Place) -> Database:
    """Open an existing database through which nothing can be written: the database itself refuses.

    Raises:
        StorageError: It isn't there or can't be read.
    """
    if isinstance(place, Path):
        return await open_read_only(place)
    from data.postgresql.connection import PostgresDatabase  # noqa: PLC0415 - an extra; SQLite does without

    return await PostgresDatabase.open(place, connections=1, read_only=True)


async def holds_something(place: Place) -> bool:
    """Return whether there are any tables in a database.

    Raises:
        StorageError: It can't be used.
    """
    database = await open_database(place)
    try:
        async with database.reading() as connection:
            return await database.schema.holds_something(connection)
    finally:
        await database.close()


def eraser_for(database: Database, queries: NamedQueries) -> Eraser:
    """Return what removes the remains of deleted rows in a database."""
    if isinstance(database, SqliteDatabase):
        return SqliteEraser(database=database, queries=queries)
    from data.postgresql.erasure import PostgresEraser  # noqa: PLC0415

    return PostgresEraser(database=database)
