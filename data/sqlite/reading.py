"""An SQLite file for reading alone: SQLite itself refuses every write, and no file appears beside it."""

import asyncio
import sqlite3
from datetime import timedelta
from pathlib import Path

from data.connection import Database
from data.sqlite.connection import SqliteDatabase
from data.sqlite.failures import explained
from data.sqlite.parcels import ParcelConnection


async def open_read_only(path: Path, *, busy_timeout: timedelta = timedelta(seconds=5)) -> SqliteDatabase:
    """Open an existing file.

    Where no program has it open, nothing is locked, either: whoever reads then has to look afterwards whether the file
    is still as it was (`state_of`).

    Raises:
        StorageError: There is no such file, it can't be read, or it is not an SQLite database.
    """
    with explained(path):
        connection = await _connect(await asyncio.to_thread(_uri, path), busy_timeout)
    return SqliteDatabase(path=path, writer=connection, durable=connection, readers=[connection])


async def commits_seen(database: Database) -> int:
    """Return a number that changes when anybody commits something between two calls on the same open database."""
    async with database.reading() as connection:
        ((seen,),) = await connection.execute_fetchall("PRAGMA data_version")
        return int(seen)


def state_of(path: Path) -> tuple[int, int] | None:
    """Return what tells whether a file that nobody has open was written; None where somebody may have it open."""
    if _log_of(path).exists():
        return None
    found = path.stat()
    return found.st_mtime_ns, found.st_size


def _uri(path: Path) -> str:
    # Reading a database in WAL mode makes its -wal and -shm files where they are missing; "immutable" doesn't.
    alone = "" if _log_of(path).exists() else "&immutable=1"
    return f"{path.resolve().as_uri()}?mode=ro{alone}"


async def _connect(uri: str, busy_timeout: timedelta) -> ParcelConnection:
    connection = ParcelConnection.to(uri, uri=True, isolation_level=None, timeout=busy_timeout.total_seconds())
    await connection
    try:
        connection.row_factory = sqlite3.Row
        await connection.execute("PRAGMA query_only = ON")
        await connection.execute("PRAGMA temp_store = MEMORY")
        await connection.execute_fetchall("SELECT 1 FROM sqlite_master LIMIT 1")
    except BaseException:
        await connection.close()
        raise
    return connection


def _log_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")
