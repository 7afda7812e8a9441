"""SQLite and PostgreSQL have the same tables and columns, and migrations under the same numbers and names."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from core.errors import StorageError
from data.copying.tables import ONLY_SQLITE
from data.migrations import Migration, load_migrations, migrate
from data.opening import open_database
from data.stores import open_stores
from tests.fakes.stores import casefolded_words

# How a column of SQLite may stand on PostgreSQL.
TYPES = {
    "INTEGER": {"bigint", "smallint"},
    "TEXT": {"text"},
    "BLOB": {"bytea"},
    "REAL": {"double precision"},
}
# Its number stands in the file of SQLite itself.
ONLY_POSTGRESQL = {"schema_version"}

Column = tuple[str, bool, bool]
"""A type, whether it may be NULL, and whether it belongs to the primary key."""


def sqlite_columns(path: Path) -> dict[str, dict[str, Column]]:
    with closing(sqlite3.connect(path)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {
            table: {
                name: (kind, not (notnull or place), place > 0)
                for name, kind, notnull, place in connection.execute(
                    'SELECT name, type, "notnull", pk FROM pragma_table_info(?)', (table,)
                )
            }
            for table in tables
            if not table.startswith(("sqlite_", *ONLY_SQLITE))
        }


def postgresql_columns(url: str) -> dict[str, dict[str, Column]]:
    found: dict[str, dict[str, Column]] = {}
    with psycopg.connect(url) as connection:
        rows = connection.execute("""
            SELECT columns.table_name, columns.column_name, columns.data_type, columns.is_nullable = 'YES',
                key_column_usage.column_name IS NOT NULL
            FROM information_schema.columns
            LEFT JOIN information_schema.table_constraints
                ON table_constraints.table_name = columns.table_name
                AND table_constraints.constraint_type = 'PRIMARY KEY'
            LEFT JOIN information_schema.key_column_usage
                ON key_column_usage.constraint_name = table_constraints.constraint_name
                AND key_column_usage.column_name = columns.column_name
            WHERE columns.table_schema = current_schema()
        """)
        for table, name, kind, nullable, in_key in rows:
            found.setdefault(table, {})[name] = (kind, nullable, in_key)
    return {table: columns for table, columns in found.items() if table not in ONLY_POSTGRESQL}


async def test_both_databases_have_the_same_tables_and_columns(
    tmp_path: Path, new_postgresql: Callable[[], str]
) -> None:
    path, url = tmp_path / "yorisoi.db", new_postgresql()
    for place in (path, url):
        async with open_stores(place, casefolded_words):
            pass

    here, there = sqlite_columns(path), postgresql_columns(url)

    assert here.keys() == there.keys()
    for table, columns in here.items():
        assert columns.keys() == there[table].keys(), table
        for name, (kind, *rest) in columns.items():
            other, *other_rest = there[table][name]
            assert other in TYPES[kind], (table, name)
            assert other_rest == rest, (table, name)


def test_both_databases_have_migrations_of_the_same_numbers_and_names() -> None:
    here, there = load_migrations(), load_migrations(dialect="postgresql")
    first = there[0].number

    assert [(one.number, one.name) for one in here[first:]] == [(one.number, one.name) for one in there[1:]]


async def test_a_newer_server_database_is_refused(new_postgresql: Callable[[], str]) -> None:
    url = new_postgresql()
    async with open_stores(url, casefolded_words):
        pass
    with psycopg.connect(url) as connection:
        connection.execute("UPDATE schema_version SET version = 99")

    with pytest.raises(StorageError, match=r"newer version of the program \(schema 99"):
        async with open_stores(url, casefolded_words):
            pass


async def test_another_programs_server_database_is_refused_and_left_alone(new_postgresql: Callable[[], str]) -> None:
    url = new_postgresql()
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE theirs (id INTEGER)")

    with pytest.raises(StorageError, match="belongs to another program"):
        async with open_stores(url, casefolded_words):
            pass

    assert postgresql_columns(url).keys() == {"theirs"}


async def test_an_interrupted_migration_of_a_server_leaves_the_version_before_it(
    new_postgresql: Callable[[], str],
) -> None:
    url, (first, *_) = new_postgresql(), load_migrations(dialect="postgresql")
    broken = Migration(first.number + 1, "broken", "CREATE TABLE second (id BIGINT); INSERT INTO missing VALUES (7);")
    database = await open_database(url)
    try:
        with pytest.raises(StorageError):
            await migrate(database, [first, broken])
        assert "second" not in postgresql_columns(url)
        async with database.transaction() as connection:
            assert await database.schema.version(connection) == first.number
    finally:
        await database.close()


async def test_programs_that_start_together_migrate_once(new_postgresql: Callable[[], str]) -> None:
    url, migrations = new_postgresql(), load_migrations(dialect="postgresql")
    databases = [await open_database(url) for _ in range(3)]
    applied = await asyncio.gather(*(migrate(database, migrations) for database in databases))
    for database in databases:
        await database.close()

    assert sum(applied) == len(migrations)
