"""A PostgreSQL server: a small pool of connections, and every failure a `StorageError`."""

from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from types import TracebackType
from typing import Any, Self

from psycopg import AsyncConnection, AsyncCursor, Error, OperationalError
from psycopg.errors import LockNotAvailable
from psycopg_pool import AsyncConnectionPool

from core.errors import StorageError
from data.connection import Connection, Done, Posting, Value
from data.postgresql.address import Address
from data.postgresql.failures import explain_connecting, explained
from data.postgresql.hung import end_hung_sessions
from data.postgresql.schema import PostgresSchema
from data.postgresql.values import PostgresRow, adapt, rows_by_name

_OLDEST = 15
_FREE_SECONDS = 5.0  # to wait for a connection that nobody uses
_HUNG_AFTER = timedelta(seconds=10)
_BEGIN = b"BEGIN"
_COMMIT = b"COMMIT"
# Chat may lose its last half second when the server itself crashes, as on SQLite; claims may not.
_DURABLE = b"SET LOCAL synchronous_commit = on"
_SNAPSHOT = b"SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"

_Raw = AsyncConnection[PostgresRow]
_Statement = tuple[bytes, Mapping[str, Value] | None]


class PostgresConnection(Posting):
    """`data.connection.Connection` on a connection of the pool.

    What is posted, the beginning of a transaction too, goes to the server in one parcel with the next statement that
    is waited for: a unit of work costs as many ways to the server and back as it has questions.
    """

    __slots__ = ("_posted", "_raw")

    def __init__(self, raw: _Raw, *begin: bytes) -> None:
        self._raw = raw
        self._posted: list[_Statement] = [(statement, None) for statement in begin]

    async def execute_fetchall(self, sql: str, parameters: Mapping[str, Value] | None = None) -> list[PostgresRow]:
        """Run a statement and return all its rows."""
        cursor = await self._run(sql.encode(), parameters)
        return await cursor.fetchall() if cursor.description is not None else []

    async def execute(self, sql: str, parameters: Mapping[str, Value] | None = None) -> Done:
        """Run a statement; without parameters it may be a script."""
        return await self._run(sql.encode(), parameters)

    async def executemany(self, sql: str, parameters: Iterable[Mapping[str, Value]]) -> Done:
        """Run a statement once per set of parameters."""
        cursor = self._raw.cursor()
        async with self._raw.pipeline():
            await self._send_posted()
            await cursor.executemany(sql.encode(), parameters)
        return cursor

    def post(self, sql: str, parameters: Mapping[str, Value]) -> None:
        """Have a statement run before the next one, or at the end of the unit of work."""
        self._posted.append((sql.encode(), parameters))

    async def last(self, sql: str, parameters: Mapping[str, Value]) -> list[PostgresRow]:
        """Run the last statement of a transaction and return its rows."""
        return await self.execute_fetchall(sql, parameters)

    async def settle(self) -> None:
        """Run what is posted."""
        if self._posted:
            async with self._raw.pipeline():
                await self._send_posted()

    async def commit(self) -> None:
        """Run what is posted, and end the transaction; nothing if it never began."""
        begun = not self._posted or self._posted[0][0] != _BEGIN
        if begun or any(parameters is not None for _, parameters in self._posted):
            await self._run(_COMMIT, {})

    async def _run(self, sql: bytes, parameters: Mapping[str, Value] | None) -> AsyncCursor[PostgresRow]:
        if not self._posted:
            return await self._raw.execute(sql, parameters)
        if parameters is None:  # a script can't be part of a parcel
            await self.settle()
            return await self._raw.execute(sql)
        async with self._raw.pipeline():
            await self._send_posted()
            # Its results are there when the parcel is closed.
            return await self._raw.execute(sql, parameters)

    async def _send_posted(self) -> None:
        posted, self._posted = self._posted, []
        for sql, parameters in posted:
            await self._raw.execute(sql, parameters)


class PostgresDatabase:
    """An open database. Made by `PostgresDatabase.open`; an async context manager that closes it.

    Any number of transactions run at once, in as many processes as there are; each statement sees what was committed
    when it began (READ COMMITTED). What must not cross is held by the stores, see data/queries/postgresql/holds.sql.
    """

    dialect = "postgresql"
    schema = PostgresSchema()

    def __init__(self, *, address: Address, pool: AsyncConnectionPool[_Raw], hung_after: timedelta) -> None:
        self.name = address.name
        self._hung_after = hung_after
        self._pool = pool

    @classmethod
    async def open(
        cls,
        url: str,
        *,
        busy_timeout: timedelta = timedelta(seconds=5),
        connections: int = 8,
        read_only: bool = False,
        hung_after: timedelta = _HUNG_AFTER,
    ) -> Self:
        """Connect to a server, with up to so many connections; `read_only`: the server refuses every write.

        `busy_timeout` is how long to wait for another process that changes the same. One that says nothing for
        `hung_after` in the middle of a transaction loses it. The schema is not looked at.

        Raises:
            StorageError: The server can't be reached or used, lets nobody in, or is too old.
        """
        address = Address.read(url)
        keywords = {**address.link(), "row_factory": rows_by_name, "autocommit": True}
        await _try(address, keywords)
        pool: AsyncConnectionPool[_Raw] = AsyncConnectionPool(
            address.url,
            kwargs=keywords,
            min_size=1,
            max_size=connections,
            timeout=_FREE_SECONDS,
            configure=_configured(busy_timeout, hung_after, read_only=read_only),
            open=False,
        )
        with explained(address.name):
            await pool.open()
        return cls(address=address, pool=pool, hung_after=hung_after)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Connection]:
        """Write in one transaction: all of it is stored, or, when the body raises, nothing."""
        async with self._transaction() as connection:
            yield connection

    @asynccontextmanager
    async def exclusive(self) -> AsyncIterator[Connection]:
        """Hold a connection without a transaction: for a single statement, or for what can't be in one."""
        async with self._connection() as raw:
            connection = PostgresConnection(raw)
            yield connection
            await connection.settle()

    @asynccontextmanager
    async def durable(self) -> AsyncIterator[Connection]:
        """Write in a transaction that is on the server's disk when the body has ended."""
        async with self._transaction(_DURABLE) as connection:
            yield connection

    durable_transaction = durable
    reading = exclusive

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[Connection]:
        """Read several times from one and the same state."""
        async with self._transaction(_SNAPSHOT) as connection:
            yield connection

    async def close(self) -> None:
        """Wait for what is under way, then close. Closing twice is no error."""
        await self._pool.close()

    async def __aenter__(self) -> Self:
        """Return the open database."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        await self.close()

    @asynccontextmanager
    async def _transaction(self, *settings: bytes) -> AsyncIterator[Connection]:
        async with self._connection() as raw:
            connection = PostgresConnection(raw, _BEGIN, *settings)
            try:
                yield connection
                await connection.commit()
            except BaseException:
                # Also after a failed BEGIN or COMMIT or a cancellation: without a transaction this does nothing.
                with suppress(Error):
                    await raw.rollback()
                raise

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[_Raw]:
        with explained(self.name):
            raw = await self._pool.getconn()
            while not _is_alive(raw):
                # As after a restart of the server: the pool replaces what is given back closed.
                await self._pool.putconn(raw)
                raw = await self._pool.getconn()
            try:
                yield raw
            except LockNotAvailable:
                await end_hung_sessions(raw, self._hung_after)
                raise
            finally:
                await self._pool.putconn(raw)


def _is_alive(raw: _Raw) -> bool:
    """Return whether a connection that nobody used was not ended meanwhile; the server isn't asked."""
    try:
        raw.pgconn.consume_input()
        raw.pgconn.consume_input()  # the first may have read the server's last words, the second meets the end
    except OperationalError:
        return False
    return not raw.broken


async def _try(address: Address, keywords: Mapping[str, Any]) -> None:
    """Connect once, for a clear word about what is wrong; the pool would only say that it took too long."""
    try:
        connection = await AsyncConnection.connect(address.url, **keywords)
    except (Error, OSError) as error:
        raise StorageError(explain_connecting(error, address)) from None
    version, encoding = connection.info.server_version // 10_000, connection.info.parameter_status("server_encoding")
    await connection.close()
    if version < _OLDEST:
        raise StorageError(f"{address.name}: the server is PostgreSQL {version}: {_OLDEST} or newer is needed")
    if encoding != "UTF8":
        raise StorageError(f"{address.name}: the database is in {encoding}: make one in UTF8 (`createdb -E UTF8`)")


def _configured(busy_timeout: timedelta, hung_after: timedelta, *, read_only: bool) -> Any:  # noqa: ANN401 - a callback of the pool's
    busy, hung = (length // timedelta(milliseconds=1) for length in (busy_timeout, hung_after))

    async def configure(raw: _Raw) -> None:
        adapt(raw)
        # A process that hangs in the middle of a transaction loses it, or it would hold up all the others.
        await raw.execute(
            f"SET synchronous_commit = off; SET client_min_messages = warning; SET lock_timeout = {busy:d};"
            f" SET idle_in_transaction_session_timeout = {hung:d}".encode()
        )
        if read_only:
            await raw.execute(b"SET default_transaction_read_only = on")

    return configure
