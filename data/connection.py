"""What the stores ask of a database: units of work, and connections that run statements in them.

Two databases offer it, `data.sqlite` and `data.postgresql`. SQLite has one writer at a time; PostgreSQL has many, so
where two changes must not cross, a store holds what they have in common first (`NamedQueries.hold`).
"""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Iterable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

Value = int | float | str | bytes | None
"""What a parameter or a column may be."""


class Row(Protocol):
    """A row of a result; its columns are found by name or by place."""

    def __getitem__(self, column: int | str, /) -> Any:  # noqa: ANN401 - whatever the column holds
        """Return a column's value."""

    def __iter__(self) -> Iterator[Any]:
        """Go through the values."""

    def keys(self) -> Iterable[str]:
        """Return the names of the columns."""


class Done(Protocol):
    """What is known of a statement that was run."""

    @property
    def rowcount(self) -> int:
        """How many rows it changed."""


class Connection(Protocol):
    """A connection in the middle of a unit of work. Parameters are named as in the SQL."""

    def execute_fetchall(self, sql: str, parameters: Mapping[str, Value] | None = None, /) -> Awaitable[Iterable[Row]]:
        """Run a statement and return all its rows."""

    def execute(self, sql: str, parameters: Mapping[str, Value] | None = None, /) -> Awaitable[Done]:
        """Run a statement."""

    def executemany(self, sql: str, parameters: Iterable[Mapping[str, Value]], /) -> Awaitable[Done]:
        """Run a statement once per set of parameters."""


class Posting(ABC):
    """A connection on which a statement need not be waited for: it goes to the server together with the next one."""

    @abstractmethod
    def post(self, sql: str, parameters: Mapping[str, Value], /) -> None:
        """Have a statement run before the next one, or at the end of the unit of work; that raises what it raises."""

    @abstractmethod
    async def last(self, sql: str, parameters: Mapping[str, Value], /) -> Iterable[Row]:
        """Run the last statement of a transaction and return its rows; where it can, this is the end of it, too."""


class SchemaBook(Protocol):
    """How a database keeps the number of its schema, and how its migrations are run."""

    async def version(self, connection: Any) -> int:  # noqa: ANN401 - one of the database's own
        """Return the number of the last migration applied, 0 for an empty database; nobody else migrates meanwhile."""

    async def is_being_filled(self, connection: Any) -> bool:  # noqa: ANN401
        """Return whether a copy of another database into this one has begun and not ended."""

    async def holds_something(self, connection: Any) -> bool:  # noqa: ANN401
        """Return whether there are any tables."""

    async def apply(self, connection: Any, script: str, number: int) -> None:  # noqa: ANN401
        """Run a migration's statements and note its number."""


class Database(Protocol):
    """An open database."""

    @property
    def name(self) -> str:
        """How it is called in messages: the path of a file, or an address without its password."""

    @property
    def dialect(self) -> str:
        """The folder of the queries that only this kind of database understands."""

    @property
    def schema(self) -> SchemaBook:
        """Its schema."""

    def transaction(self) -> AbstractAsyncContextManager[Connection]:
        """Write in one transaction: all of it is stored, or, when the body raises, nothing."""

    def exclusive(self) -> AbstractAsyncContextManager[Connection]:
        """Write without a transaction: for a single statement, or for what can't be in one."""

    def durable(self) -> AbstractAsyncContextManager[Connection]:
        """Write one statement (after what it holds) that survives a power failure once the body has ended."""

    def durable_transaction(self) -> AbstractAsyncContextManager[Connection]:
        """Write several statements in one transaction that survives a power failure once the body has ended."""

    def reading(self) -> AbstractAsyncContextManager[Connection]:
        """Read; each statement sees what was committed when it began."""

    def snapshot(self) -> AbstractAsyncContextManager[Connection]:
        """Read several times from one and the same state."""

    async def close(self) -> None:
        """Wait for what is under way, then close. Closing twice is no error."""
