"""From every version there was, a database with something in every table comes up to date and keeps all of it."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from data.migrations import load_migrations, migrate, schema_version
from data.sqlite.connection import SqliteDatabase
from tests.integration.data.test_forgetting import PERSON, Filler, columns_of, tables_of

# The books of the file itself, which begin filled.
BOOKS = {"erasure"}

Rows = dict[str, tuple[tuple[str, ...], set[tuple[object, ...]]]]


def filled(path: Path) -> Rows:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA foreign_keys = ON")
        tables = [table for table in tables_of(connection) if table not in BOOKS]
        filler = Filler(connection)
        for table in tables:
            if not connection.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone():
                filler.add(table, PERSON)
        return rows_of(connection, tables)


def rows_of(connection: sqlite3.Connection, tables: list[str]) -> Rows:
    found: Rows = {}
    for table in tables:
        columns = tuple(column["name"] for column in columns_of(connection, table))
        rows = connection.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchall()
        found[table] = (columns, {tuple(row) for row in rows})
    return found


def picked(rows: set[tuple[object, ...]], columns: tuple[str, ...], wanted: list[str]) -> set[tuple[object, ...]]:
    return {tuple(dict(zip(columns, row, strict=True))[name] for name in wanted) for row in rows}


@pytest.mark.parametrize("version", range(1, load_migrations()[-1].number))
async def test_what_an_earlier_version_kept_is_still_there(tmp_path: Path, version: int) -> None:
    path, migrations = tmp_path / "yorisoi.db", load_migrations()
    async with await SqliteDatabase.open(path) as database:
        await migrate(database, migrations[:version])
    before = filled(path)
    async with await SqliteDatabase.open(path) as database:
        assert await migrate(database, migrations) == len(migrations) - version
        assert await schema_version(database) == migrations[-1].number
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        now = tables_of(connection)
        after = rows_of(connection, now)
        assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []

    assert before.keys() <= after.keys()
    for table, (columns, rows) in before.items():
        common = [name for name in columns if name in after[table][0]]
        assert rows, table
        assert picked(rows, columns, common) <= picked(after[table][1], after[table][0], common), table
