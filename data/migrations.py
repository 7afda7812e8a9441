"""Numbered, forward-only changes of the schema, each in a transaction of its own.

The number of the last one is kept in `PRAGMA user_version`, which SQLite changes with the transaction.
"""

import re
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import aiosqlite

from core.errors import StorageError
from data.connection import Database

_FOLDER = Path(__file__).parent / "migrations"
_FILE_NAME = re.compile(r"(\d{4})_[a-z0-9_]+\.sql")


@dataclass(frozen=True, slots=True)
class Migration:
    """One step; `number` counts from 1 without gaps."""

    number: int
    name: str
    sql: str


def load_migrations(folder: Path = _FOLDER) -> tuple[Migration, ...]:
    """Read the migrations that come with the program, in order.

    Raises:
        ValueError: A file has no number, or a number is missing or taken twice.
    """
    files = sorted(folder.glob("*.sql"))
    migrations = tuple(Migration(_number(file), file.stem, file.read_text(encoding="utf-8")) for file in files)
    if [migration.number for migration in migrations] != list(range(1, len(migrations) + 1)):
        raise ValueError(f"migrations in {folder} are not numbered 1, 2, 3, …")
    return migrations


async def migrate(database: Database, migrations: Sequence[Migration]) -> int:
    """Bring the database up to date; return how many migrations were applied.

    An interrupted migration leaves the version before it, and the next call takes it up again.

    Raises:
        StorageError: The database belongs to a newer program or to another one, or a statement failed.
    """
    applied = 0
    while await _apply_next(database, migrations):
        applied += 1
    return applied


async def schema_version(database: Database) -> int:
    """Return the number of the last migration applied; 0 for an empty database."""
    async with database.reading() as connection:
        return await _version(connection)


async def _apply_next(database: Database, migrations: Sequence[Migration]) -> bool:
    # The version is read inside the transaction, so that two programs starting together don't both migrate.
    async with database.transaction() as connection:
        version = await _version(connection)
        await _require_ours(connection, version, newest=len(migrations), path=database.path)
        if version == len(migrations):
            return False
        migration = migrations[version]
        for statement in statements(migration.sql):
            await connection.execute(statement)
        await connection.execute(f"PRAGMA user_version = {migration.number:d}")
        return True


async def _version(connection: aiosqlite.Connection) -> int:
    ((version,),) = await connection.execute_fetchall("PRAGMA user_version")
    return int(version)


async def _require_ours(connection: aiosqlite.Connection, version: int, *, newest: int, path: Path) -> None:
    if version > newest:
        raise StorageError(
            f"{path}: the database was made by a newer version of the program (schema {version}, this one knows "
            f"up to {newest}): update the program, or restore a backup from before the update"
        )
    if version == 0 and await connection.execute_fetchall("SELECT 1 FROM sqlite_master LIMIT 1"):
        raise StorageError(f"{path}: the database belongs to another program: choose another path")


def statements(script: str) -> Iterator[str]:
    """Split a script into statements; the semicolons inside a trigger don't end one."""
    begun = ""
    for line in script.splitlines(keepends=True):
        begun += line
        if sqlite3.complete_statement(begun):
            yield begun.strip()
            begun = ""
    if _without_comments(begun):
        raise ValueError("the script ends in the middle of a statement")


def _without_comments(text: str) -> str:
    return re.sub(r"--[^\n]*", "", text).strip()


def _number(file: Path) -> int:
    match = _FILE_NAME.fullmatch(file.name)
    if match is None:
        raise ValueError(f"{file.name} is not named like 0001_what_it_does.sql")
    return int(match[1])
