"""One SQLite file: one connection that writes, a few that read, and every failure a `StorageError`."""

import asyncio
import os
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from pathlib import Path
from types import TracebackType
from typing import Self

from core.errors import StorageError
from data.connection import Connection
from data.sqlite.failures import explained
from data.sqlite.parcels import ParcelConnection, Transaction
from data.sqlite.schema import SqliteSchema

_FILE_MODE = 0o600
_FOLDER_MODE = 0o700
_OTHERS = 0o077

# secure_delete overwrites what is deleted; temp_store keeps sorted text from spilling into temporary files.
_PRAGMAS = (
    "PRAGMA foreign_keys = ON",
    "PRAGMA secure_delete = ON",
    "PRAGMA temp_store = MEMORY",
)


class SqliteDatabase:
    """An open database. Made by `SqliteDatabase.open`; an async context manager that closes it.

    Writes go through `transaction()`, one at a time; reads through `reading()`, which never wait for a writer. What
    must be on the disk before anything else happens goes through `durable()`.
    """

    dialect = "sqlite"
    schema = SqliteSchema()

    def __init__(
        self,
        *,
        path: Path,
        writer: ParcelConnection,
        durable: ParcelConnection,
        readers: list[ParcelConnection],
    ) -> None:
        self.path = path
        self._writer = writer
        self._durable = durable
        self._writing = asyncio.Lock()
        self._reader_count = len(readers)
        self._readers: asyncio.Queue[ParcelConnection] = asyncio.Queue()
        for reader in readers:
            self._readers.put_nowait(reader)
        self._closed = False

    @property
    def name(self) -> str:
        """The path of the file."""
        return str(self.path)

    @classmethod
    async def open(cls, path: Path, *, busy_timeout: timedelta = timedelta(seconds=5), readers: int = 2) -> Self:
        """Open the file, making it (mode 0600) and its folder (0700) where they are missing.

        `busy_timeout` is how long to wait for another process that writes. The schema is not looked at.

        Raises:
            StorageError: The file can't be read and written, or is not an SQLite database.
        """
        opened: list[ParcelConnection] = []
        try:
            with explained(path):
                await asyncio.to_thread(_prepare_file, path)
                opened.append(await _connect(path, busy_timeout))
                opened.append(await _connect(path, busy_timeout, synchronous="FULL"))
                while len(opened) < 2 + readers:
                    opened.append(await _connect(path, busy_timeout, read_only=True))
        except BaseException:
            for connection in opened:
                await connection.close()
            raise
        return cls(path=path, writer=opened[0], durable=opened[1], readers=opened[2:])

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Connection]:
        """Write in one transaction: all of it is stored, or, when the body raises, nothing."""
        async with self._written(self._writer) as connection, _transaction(connection) as transaction:
            yield transaction

    @asynccontextmanager
    async def exclusive(self) -> AsyncIterator[ParcelConnection]:
        """Hold the writing connection without a transaction: for a single statement, or for what can't be in one."""
        async with self._written(self._writer) as connection:
            yield connection

    @asynccontextmanager
    async def durable(self) -> AsyncIterator[ParcelConnection]:
        """Hold a connection whose writes survive a power failure: each is on the disk when it returns.

        For single statements, which are a transaction each. It takes turns with the other writing connection.
        """
        async with self._written(self._durable) as connection:
            yield connection

    @asynccontextmanager
    async def durable_transaction(self) -> AsyncIterator[Connection]:
        """Write several statements in one transaction that is on the disk when the body has ended."""
        async with self._written(self._durable) as connection, _transaction(connection) as transaction:
            yield transaction

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[ParcelConnection]:
        """Read; each statement sees what was committed when it began."""
        self._require_open()
        reader = await self._readers.get()
        try:
            self._require_open()
            with explained(self.path):
                yield reader
        finally:
            self._readers.put_nowait(reader)

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[ParcelConnection]:
        """Read several times from one and the same state."""
        async with self.reading() as connection:
            await connection.execute("BEGIN")
            try:
                yield connection
            finally:
                await connection.rollback()

    async def close(self) -> None:
        """Wait for the reads and writes under way, then close. Closing twice is no error."""
        async with self._writing:
            if self._closed:
                return
            self._closed = True
            with explained(self.path):
                for _ in range(self._reader_count):
                    await (await self._readers.get()).close()
                await self._durable.close()
                await self._writer.close()

    async def __aenter__(self) -> Self:
        """Return the open database."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        await self.close()

    @asynccontextmanager
    async def _written(self, connection: ParcelConnection) -> AsyncIterator[ParcelConnection]:
        """Hold a connection that writes; they take turns."""
        async with self._writing:
            self._require_open()
            with explained(self.path):
                yield connection

    def _require_open(self) -> None:
        if self._closed:
            raise StorageError(f"{self.path}: the database was closed")


@asynccontextmanager
async def _transaction(connection: ParcelConnection) -> AsyncIterator[Connection]:
    transaction = Transaction(connection)
    try:
        yield transaction
        await transaction.commit()
    except BaseException:
        # Also after a failed BEGIN or COMMIT or a cancellation: without a transaction this does nothing.
        with suppress(sqlite3.Error):
            await connection.rollback()
        raise


async def _connect(
    path: Path, busy_timeout: timedelta, *, read_only: bool = False, synchronous: str = "NORMAL"
) -> ParcelConnection:
    connection = ParcelConnection.to(path, isolation_level=None, timeout=busy_timeout.total_seconds())
    await connection
    try:
        connection.row_factory = sqlite3.Row
        if not read_only:
            await connection.execute("PRAGMA journal_mode = WAL")
        for pragma in (f"PRAGMA synchronous = {synchronous}", *_PRAGMAS):
            await connection.execute(pragma)
        if read_only:
            await connection.execute("PRAGMA query_only = ON")
    except BaseException:
        await connection.close()
        raise
    return connection


def _prepare_file(path: Path) -> None:
    """Make file and folder, and take the file (and a log left by a crash) out of others' reach."""
    path.parent.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, _FILE_MODE))
    for file in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
        # Only where it is needed: somebody else's file with the right mode must not stop the start.
        if file.exists() and file.stat().st_mode & _OTHERS:
            file.chmod(_FILE_MODE)
