"""A look at a database file that changes nothing in it."""

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from core.errors import StorageError
from data.failures import explained
from data.migrations import load_migrations

_SECONDS = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseHealth:
    """What was seen. `size` in bytes; `schema` and `newest` are numbers of migrations: the file's, the program's."""

    size: int
    schema: int
    newest: int


async def look_at(path: Path) -> DatabaseHealth | None:
    """Check a database's integrity (quickly) and read its version; None if there is no file yet.

    Raises:
        StorageError: The file can't be read, is no database, is damaged, or belongs to a newer program.
    """
    return await asyncio.to_thread(_look_at, path)


def _look_at(path: Path) -> DatabaseHealth | None:
    newest = len(load_migrations())
    with explained(path):
        if not path.exists():
            return None
        size = path.stat().st_size
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=_SECONDS)) as connection:
            (schema,) = connection.execute("PRAGMA user_version").fetchone()
            (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise StorageError(f"{path}: the database is damaged: stop the program and restore a backup")
    if schema > newest:
        raise StorageError(f"{path}: the database belongs to a newer Yorisoi ({schema} > {newest}): update the program")
    return DatabaseHealth(size=size, schema=schema, newest=newest)
