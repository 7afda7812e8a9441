"""How values travel: rows that are found by name or place as SQLite's are, and numbers that stay whole."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from psycopg import AsyncConnection, BaseConnection
from psycopg.abc import Buffer
from psycopg.adapt import Loader
from psycopg.cursor_async import AsyncCursor
from psycopg.types.numeric import Int8BinaryDumper, Int8Dumper


class PostgresRow:
    """A row as `sqlite3.Row` is one."""

    __slots__ = ("_places", "_values")

    def __init__(self, values: Sequence[Any], places: Mapping[str, int]) -> None:
        self._values = values
        self._places = places

    def __getitem__(self, column: int | str) -> Any:  # noqa: ANN401 - whatever the column holds
        """Return a column's value."""
        return self._values[column if isinstance(column, int) else self._places[column]]

    def __iter__(self) -> Iterator[Any]:
        """Go through the values."""
        return iter(self._values)

    def __len__(self) -> int:
        """Return the number of columns."""
        return len(self._values)

    def keys(self) -> Iterable[str]:
        """Return the names of the columns."""
        return self._places.keys()


def rows_by_name(cursor: AsyncCursor[Any]) -> Callable[[Sequence[Any]], PostgresRow]:
    """Return what makes a row of the cursor's values."""
    places = {column.name: place for place, column in enumerate(cursor.description or ())}
    return lambda values: PostgresRow(values, places)


class _WholeNumber(Loader):
    """Sums come as `numeric`; ours are whole."""

    def load(self, data: Buffer) -> int | float:
        """Return an int where the number is whole."""
        text = bytes(data).decode("ascii")
        return int(text) if text.lstrip("-").isdigit() else float(text)


def adapt(connection: BaseConnection[Any] | AsyncConnection[Any]) -> None:
    """Let a connection speak as SQLite does: sums are ints, and every int is sent as 64 bits.

    By default the type depends on the size, and a small one added to a large one would overflow.
    """
    connection.adapters.register_loader("numeric", _WholeNumber)
    connection.adapters.register_dumper(int, Int8Dumper)
    connection.adapters.register_dumper(int, Int8BinaryDumper)
