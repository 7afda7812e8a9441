"""Turns what SQLite says into a `StorageError` an operator can act on."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.errors import StorageError

_PRIMARY_CODE = 0xFF

# By primary result code (https://sqlite.org/rescode.html): what happened and what to do about it.
_EXPLANATIONS = {
    sqlite3.SQLITE_FULL: "the disk is full: free some space; nothing that was stored before is lost",
    sqlite3.SQLITE_BUSY: "another process keeps the database locked: stop the other program that uses it",
    sqlite3.SQLITE_LOCKED: "the database is locked: stop the other program that uses it",
    sqlite3.SQLITE_NOTADB: "the file is not an SQLite database: move it away, or restore a backup in its place",
    sqlite3.SQLITE_CORRUPT: "the database is damaged: stop the program and restore a backup",
    sqlite3.SQLITE_READONLY: "the database can't be written: check the owner and mode of the file and its folder",
    sqlite3.SQLITE_PERM: "access is denied: check the owner and mode of the file and its folder",
    sqlite3.SQLITE_CANTOPEN: "the file can't be opened: check that it is a file and that its folder can be written",
    sqlite3.SQLITE_IOERR: "reading or writing the disk failed: check the disk and the file system",
}


def explain(error: sqlite3.Error, path: Path) -> str:
    """Return what went wrong with the database at `path` and what to do, without any stored text."""
    code = getattr(error, "sqlite_errorcode", None)
    known = _EXPLANATIONS.get(code & _PRIMARY_CODE) if code is not None else None
    name = getattr(error, "sqlite_errorname", type(error).__name__)
    return f"{path}: {known} ({name})" if known else f"{path}: the database refused a statement ({name}: {error})"


def explain_os(error: OSError, path: Path) -> str:
    """Return why the file or its folder can't be used."""
    reason = error.strerror or type(error).__name__
    return f"{path}: the database file can't be used ({reason}): check the path, its owner and its mode"


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Raise `StorageError` from every error of SQLite or the file system; let all others through."""
    try:
        yield
    except sqlite3.Error as error:
        raise StorageError(explain(error, path)) from error
    except OSError as error:
        raise StorageError(explain_os(error, path)) from error
