"""What is copied: tables in an order in which each comes after those it refers to, and a sum of their rows."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

Cell = int | float | str | bytes | None
RowValues = tuple[Cell, ...]

ONLY_SQLITE = ("erasure", "archive_index")
"""Tables (and those whose names begin so) that are the books of the file itself: they aren't copied."""

_BITS = 256


@dataclass(frozen=True, slots=True)
class Table:
    """A table with its columns and those of its primary key, by which it is read in portions."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]

    def key_of(self, row: RowValues) -> RowValues:
        """Return the key of a row."""
        return tuple(row[self.columns.index(column)] for column in self.key)


@dataclass(frozen=True, slots=True)
class Sum:
    """How many rows there are and a hash of them all that doesn't depend on their order."""

    rows: int = 0
    digest: int = 0

    def __add__(self, rows: Iterable[RowValues]) -> "Sum":
        """Return the sum with more rows."""
        count, digest = self.rows, self.digest
        for row in rows:
            count += 1
            digest += int.from_bytes(hashlib.sha256(repr(row).encode("utf-8")).digest())
        return Sum(count, digest % (1 << _BITS))


def storable_row(row: Sequence[Cell]) -> RowValues:
    """Return a row as PostgreSQL keeps it: its texts hold no NUL."""
    return tuple(cell.replace("\0", "\N{REPLACEMENT CHARACTER}") if isinstance(cell, str) else cell for cell in row)


def parents_first(parents: Mapping[str, set[str]]) -> list[str]:
    """Return tables, each after those it refers to."""
    ordered: list[str] = []
    while len(ordered) < len(parents):
        ready = [name for name in parents if name not in ordered and parents[name] - {name} <= set(ordered)]
        if not ready:
            raise ValueError("tables refer to each other in a circle")
        ordered += ready
    return ordered
