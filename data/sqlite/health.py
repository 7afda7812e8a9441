"""A look at a database file that changes nothing in it."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from core.errors import StorageError
from data.migrations import load_migrations
from data.sqlite.failures import explained
from data.state import DatabaseState, require_known

_SECONDS = 5.0


async def look_at(path: Path) -> DatabaseState | None:
    """Check a file's integrity (quickly) and read its version; None if there is no file yet.

    Raises:
        StorageError: The file can't be read, is no database, is damaged, or belongs to a newer program.
    """
    return await asyncio.to_thread(_look_at, path)


def _look_at(path: Path) -> DatabaseState | None:
    newest = load_migrations()[-1].number
    with explained(path):
        if not path.exists():
            return None
        size = path.stat().st_size
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=_SECONDS)) as connection:
            (schema,) = connection.execute("PRAGMA user_version").fetchone()
            (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise StorageError(f"{path}: the database is damaged: stop the program and restore a backup")
    require_known(str(path), schema, newest)
    return DatabaseState(name=str(path), size=size, schema=schema, newest=newest)
