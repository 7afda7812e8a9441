"""Numbered, forward-only changes of the schema, each in a transaction of its own.

Every database has its own files under the same numbers and names; PostgreSQL's begin with the number at which it came
in. data/migrations/README.md says how one is written.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.errors import StorageError
from data.connection import Connection, Database

_FOLDER = Path(__file__).parent / "migrations"
_PLACES = {"sqlite": (_FOLDER, 1), "postgresql": (_FOLDER / "postgresql", 8)}
"""Where the files of each kind of database lie, and with which number they begin."""

_FILE_NAME = re.compile(r"(\d{4})_[a-z0-9_]+\.sql")


@dataclass(frozen=True, slots=True)
class Migration:
    """One step; the numbers have no gaps, and the first makes an empty database what it was at that number."""

    number: int
    name: str
    sql: str


def load_migrations(folder: Path | None = None, *, dialect: str = "sqlite") -> tuple[Migration, ...]:
    """Read the migrations that come with the program for a kind of database, in order.

    Raises:
        ValueError: A file has no number, or a number is missing or taken twice.
    """
    usual, first = _PLACES[dialect]
    folder = folder or usual
    files = sorted(folder.glob("*.sql"))
    migrations = tuple(Migration(_number(file), file.stem, file.read_text(encoding="utf-8")) for file in files)
    if [migration.number for migration in migrations] != list(range(first, first + len(migrations))):
        raise ValueError(f"migrations in {folder} are not numbered {first}, {first + 1}, {first + 2}, …")
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
    async with database.transaction() as connection:
        return await database.schema.version(connection)


async def _apply_next(database: Database, migrations: Sequence[Migration]) -> bool:
    # The version is read inside the transaction, so that two programs starting together don't both migrate.
    async with database.transaction() as connection:
        version = await database.schema.version(connection)
        if await database.schema.is_being_filled(connection):
            raise StorageError(
                f"{database.name}: a copy into this database has not come to its end: go on with it (`yorisoi migrate "
                "--to` and this address)"
            )
        await _require_ours(database, connection, version, newest=migrations[-1].number)
        migration = next((one for one in migrations if one.number > version), None)
        if migration is None:
            return False
        await database.schema.apply(connection, migration.sql, migration.number)
        return True


async def _require_ours(database: Database, connection: Connection, version: int, *, newest: int) -> None:
    if version > newest:
        raise StorageError(
            f"{database.name}: the database was made by a newer version of the program (schema {version}, this one "
            f"knows up to {newest}): update the program, or restore a backup from before the update"
        )
    if version == 0 and await database.schema.holds_something(connection):
        raise StorageError(f"{database.name}: the database belongs to another program: choose another one")


def _number(file: Path) -> int:
    match = _FILE_NAME.fullmatch(file.name)
    if match is None:
        raise ValueError(f"{file.name} is not named like 0001_what_it_does.sql")
    return int(match[1])
