"""The copy itself: portion by portion, each noted with what it brought; then everything is counted and hashed."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from core.errors import StorageError
from data.copying.source import SqliteSource
from data.copying.tables import RowValues, Sum, Table

_PORTION = 2000
_ANEW = "stop whatever writes to it, and run the command again with --restart"

Progress = Callable[[str, int, int], None]
"""Told of a table's name and how many rows were dealt with, of how many in all: each is copied and then compared."""


@dataclass(frozen=True, slots=True)
class Copied:
    """What was copied: rows by table, and how many of them an earlier run had brought."""

    rows: Mapping[str, int]
    before: int


def copy_over(path: Path, url: str, *, restart: bool = False, progress: Progress, portion: int = _PORTION) -> Copied:
    """Copy a file to an empty database, or go on with a copy that was interrupted. The file is only read.

    Raises:
        StorageError: Either side can't be used, the target is not empty, or both don't agree in the end.
    """
    from data.postgresql.receiving import PostgresTarget, make_ready  # noqa: PLC0415 - an extra

    with SqliteSource(path) as source:
        source.require_current()
        tables = source.tables()
        asyncio.run(make_ready(url))
        with PostgresTarget(url) as target:
            brought = target.begin(tables, str(source.path), restart=restart)
            counter = _Counter(progress, 2 * sum(map(source.count, tables)))
            for table in tables:
                count, last = brought[table.name]
                counter.add(table, count)
                for rows in source.portions(table, after=last, size=portion):
                    count += len(rows)
                    target.add(table, rows, count=count)
                    counter.add(table, len(rows))
            sums = {table.name: _compared(table, source, target.rows(table), counter) for table in tables}
            numbers = source.numbers()
            if source.changed_meanwhile():
                raise StorageError(f"{source.path}: it was written to while it was copied: {_ANEW}")
            target.finish(tables, numbers)
    return Copied(
        rows={name: total.rows for name, total in sums.items()}, before=sum(count for count, _ in brought.values())
    )


def _compared(table: Table, source: SqliteSource, found: Iterator[RowValues], counter: "_Counter") -> Sum:
    """Read both sides side by side; return what they have in common."""
    here, there = Sum(), Sum()
    for rows in source.portions(table, after=None, size=_PORTION):
        here += rows
        there += islice(found, len(rows))
        counter.add(table, len(rows))
    there += found
    if here != there:
        raise StorageError(
            f"{source.path}: {table.name} is not what was copied ({here.rows} rows here, {there.rows} there, "
            f"or other contents): {_ANEW}"
        )
    return here


class _Counter:
    def __init__(self, progress: Progress, total: int) -> None:
        self._progress = progress
        self._total = total
        self._done = 0

    def add(self, table: Table, rows: int) -> None:
        self._done += rows
        self._progress(table.name, self._done, self._total)
