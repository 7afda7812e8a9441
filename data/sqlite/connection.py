"""One SQLite file: one connection that writes, a few that read, and every failure a `StorageError`."""

import asyncio
import os
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import timedelta
from pathlib import Path
from types import TracebackType
from typing import Self

from core.errors import StorageError
from data.connection import Connection, Done, Value
from data.sqlite.batches import Batches
from data.sqlite.failures import explained
from data.sqlite.parcels import ParcelConnection
from data.sqlite.quick import QuickReads
from data.sqlite.quick_writes import QuickWrites
from data.sqlite.schema import SqliteSchema
from data.sqlite.transaction import Transaction

_FILE_MODE = 0o600
_FOLDER_MODE = 0o700
_OTHERS = 0o077

# secure_delete overwrites what is deleted; temp_store keeps sorted text from spilling into temporary files.
_PRAGMAS = (
    "PRAGMA foreign_keys = ON",
    "PRAGMA secure_delete = ON",
    "PRAGMA temp_store = MEMORY",
    # Pages. The log is moved into the file before it is that long, by `Batches`.
    "PRAGMA wal_autocheckpoint = 4000",
)


class SqliteDatabase:
    """An open database. Made by `SqliteDatabase.open`; an async context manager that closes it.

    Writes go through `transaction()`, one at a time; reads through `reading()`, which never wait for a writer. Short
    ones of either are done at once, others in a thread. What must be on the disk before anything else happens goes
    through `durable()`.
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
        quick: QuickReads | None = None,
        quick_writes: QuickWrites | None = None,
    ) -> None:
        self.path = path
        self._quick = quick
        self._quick_writes = quick_writes
        self._writer = writer
        self._durable = durable
        self._writing = asyncio.Lock()
        self._batches = Batches(writer, self._writing, self._require_open, quick=quick_writes)
        self._durable_batches = Batches(durable, self._writing, self._require_open)
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
        quick: QuickReads | None = None
        try:
            with explained(path):
                await asyncio.to_thread(_prepare_file, path)
                opened.append(await _connect(path, busy_timeout))
                opened.append(await _connect(path, busy_timeout, synchronous="FULL"))
                while len(opened) < 2 + readers:
                    opened.append(await _connect(path, busy_timeout, read_only=True))
                quick = await asyncio.to_thread(QuickReads.open, path)
                quick_writes = await asyncio.to_thread(QuickWrites.open, path)
        except BaseException:
            if quick is not None:
                quick.close()
            for connection in opened:
                await connection.close()
            raise
        writer, durable, *others = opened
        return cls(path=path, writer=writer, durable=durable, readers=others, quick=quick, quick_writes=quick_writes)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Connection]:
        """Write in one transaction: all of it is stored, or, when the body raises, nothing."""
        self._require_open()
        with explained(self.path):
            async with _ended(Transaction(self._writer, self._writing, self._batches)) as transaction:
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
        self._require_open()
        with explained(self.path):
            async with _ended(Transaction(self._durable, self._writing, self._durable_batches)) as transaction:
                yield transaction

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Connection]:
        """Read; each statement sees what was committed when it began."""
        self._require_open()
        yield _Reading(self._quick, self._reader)

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[Connection]:
        """Read several times from one and the same state."""
        async with self._reader() as connection:
            try:
                await connection.execute("BEGIN")  # which goes on when whoever waits for it is cancelled
                yield connection
            finally:
                await connection.rollback()

    async def close(self) -> None:
        """Wait for the reads and writes under way, then close. Closing twice is no error."""
        await self._batches.idle()
        await self._durable_batches.idle()
        async with self._writing:
            if self._closed:
                return
            self._closed = True
            with explained(self.path):
                for quick in (self._quick, self._quick_writes):
                    if quick is not None:
                        quick.close()
                for reader in [await self._readers.get() for _ in range(self._reader_count)]:
                    await reader.close()
                    self._readers.put_nowait(reader)  # whoever still waits for one is told that it is over
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
    async def _reader(self) -> AsyncIterator[ParcelConnection]:
        """Hold a connection that reads in a thread."""
        self._require_open()
        reader = await self._readers.get()
        try:
            self._require_open()
            with explained(self.path):
                yield reader
        finally:
            self._readers.put_nowait(reader)

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


class _Reading:
    """`data.connection.Connection` for statements that only read; the long ones go to a thread."""

    __slots__ = ("_quick", "_reader")

    def __init__(
        self, quick: QuickReads | None, reader: Callable[[], AbstractAsyncContextManager[ParcelConnection]]
    ) -> None:
        self._quick = quick
        self._reader = reader

    async def execute_fetchall(self, sql: str, parameters: Mapping[str, Value] | None = None) -> Iterable[sqlite3.Row]:
        """Run a statement and return all its rows."""
        if self._quick is not None and (found := self._quick.rows(sql, parameters or {})) is not None:
            return found
        async with self._reader() as connection:
            return await connection.execute_fetchall(sql, parameters)

    async def execute(self, sql: str, parameters: Mapping[str, Value] | None = None) -> Done:
        """Run a statement."""
        async with self._reader() as connection:
            return await connection.execute(sql, parameters)

    async def executemany(self, sql: str, parameters: Iterable[Mapping[str, Value]]) -> Done:
        """Run a statement once per set of parameters."""
        async with self._reader() as connection:
            return await connection.executemany(sql, parameters)


@asynccontextmanager
async def _ended(transaction: Transaction) -> AsyncIterator[Transaction]:
    try:
        yield transaction
        await transaction.commit()
    except BaseException:
        await transaction.undo()
        raise
    finally:
        transaction.release()


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
