"""A backup: one file, the state of one moment, with nothing in it that must not last."""

import os
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from core.errors import StorageError
from data.ledger import Ledger
from data.sqlite.failures import explained

INFO_TABLE = "yorisoi_backup"
_MODE = 0o600
_SECONDS = 30.0
# What a session remembers ends with the session; a copy must not make it last.
_PASSING = ("sessions", "stance_inertia")


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A backup that was made and checked: its file, size in bytes, schema, and rows by table."""

    path: Path
    size: int
    schema: int
    rows: Mapping[str, int]


def make_backup(database: Path, to: Path, *, now: datetime) -> Made:
    """Copy a database that may be in use; the file appears whole or not at all, readable by its owner only.

    Raises:
        StorageError: there is no database, the place is taken, or the copy is not what was copied.
    """
    if not database.exists():
        raise StorageError(f"{database}: there is no database yet, so nothing to back up")
    if to.exists():
        raise StorageError(f"{to}: is there already; choose another name with --to")
    scratch = to.with_name(f".{to.name}.part")
    with explained(to):
        to.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        scratch.unlink(missing_ok=True)
        os.close(os.open(scratch, os.O_RDWR | os.O_CREAT | os.O_EXCL, _MODE))
        # Deletions are noted from before the copy on.
        Ledger.beside(database).begin()
    try:
        with explained(database), closing(_reading(database)) as source, closing(sqlite3.connect(scratch)) as copy:
            source.execute("BEGIN")
            before = rows_of(source)
            source.backup(copy)
            source.rollback()
            schema = _finish(copy, before, to, now)
        with explained(to):
            scratch.replace(to)
            return Made(path=to, size=to.stat().st_size, schema=schema, rows=_without_passing(before))
    finally:
        scratch.unlink(missing_ok=True)


def _finish(copy: sqlite3.Connection, before: Mapping[str, int], to: Path, now: datetime) -> int:
    """Take out what must not last, write down what this is, and check it; return the schema's number."""
    copy.isolation_level = None
    copy.execute("PRAGMA journal_mode = DELETE")
    copy.execute("PRAGMA secure_delete = ON")
    for table in before.keys() & set(_PASSING):
        copy.execute(f"DELETE FROM {table}")  # noqa: S608 - a name of ours
    copy.execute(f"CREATE TABLE {INFO_TABLE} (made_at TEXT NOT NULL) STRICT")
    copy.execute(f"INSERT INTO {INFO_TABLE} VALUES (?)", (now.isoformat(),))  # noqa: S608
    if "archive_index" in names_of(copy):
        copy.execute("INSERT INTO archive_index (archive_index) VALUES ('optimize')")
        copy.execute("UPDATE erasure SET pending = 0")
    copy.execute("VACUUM")  # pages that held deleted rows come along otherwise
    require_sound(copy, to)
    if {name: rows for name, rows in rows_of(copy).items() if name != INFO_TABLE} != {
        **before,
        **{name: 0 for name in _PASSING if name in before},
    }:
        raise StorageError(f"{to}: the copy does not have the rows that were copied; try again")
    return number(copy, "PRAGMA user_version")


def require_sound(connection: sqlite3.Connection, path: Path) -> None:
    """Check a whole file.

    Raises:
        StorageError: it is damaged.
    """
    ((verdict,), *_) = connection.execute("PRAGMA integrity_check(1)").fetchall()
    if verdict != "ok" or connection.execute("PRAGMA foreign_key_check").fetchone() is not None:
        raise StorageError(f"{path}: the file is damaged and can't be relied on; use another backup")


def rows_of(connection: sqlite3.Connection) -> dict[str, int]:
    """Return how many rows each table has, without those that SQLite and its index keep for themselves."""
    ours = (name for name in names_of(connection) if not name.startswith(("sqlite_", "archive_index")))
    return {name: number(connection, f'SELECT count(*) FROM "{name}"') for name in ours}  # noqa: S608


def names_of(connection: sqlite3.Connection) -> list[str]:
    """Return the names of all tables."""
    found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    return [str(name) for (name,) in found]


def number(connection: sqlite3.Connection, query: str) -> int:
    """Return the one number that a query gives."""
    (found,) = connection.execute(query).fetchone()
    return int(found)


def _without_passing(rows: Mapping[str, int]) -> dict[str, int]:
    return {name: count for name, count in rows.items() if name not in _PASSING}


def _reading(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=_SECONDS, isolation_level=None)
