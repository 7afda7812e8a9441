"""A backup takes the place of the database, and what was deleted since it was made is deleted again.

Everything is made ready in a file beside the database; only when it is sound does it change places with it.
"""

import asyncio
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from core.errors import StorageError
from data.backups.making import INFO_TABLE, names_of, number, require_sound, rows_of
from data.backups.reapplying import delete_again
from data.ledger import LEDGER_REACHES, Deletions, Ledger
from data.migrations import load_migrations, migrate
from data.sqlite.connection import SqliteDatabase
from data.sqlite.failures import explained

_MODE = 0o600
_COMPANIONS = ("-wal", "-shm")
_UNUSABLE = {
    sqlite3.SQLITE_NOTADB: "the file is not an SQLite database: choose another file; nothing was changed",
    sqlite3.SQLITE_CORRUPT: "the backup is damaged: choose another one; nothing was changed",
}
_SLACK = timedelta(minutes=1)
"""A deletion is noted right before it is made; one that a backup just missed is made again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """What is there now. `made_at` is None for a copy that says nothing of itself, `aside` where there was nothing.

    `deleted_again` counts deletions by kind; `known_since` is since when deletions are on the list, None without one.
    """

    made_at: datetime | None
    rows: Mapping[str, int]
    aside: Path | None
    deleted_again: Mapping[str, int]
    known_since: datetime | None


async def restore(backup: Path, database: Path, *, aside: Path, now: datetime, force: bool) -> Restored:
    """Put a backup in the place of a database that nobody uses; the one that is there is moved to `aside`.

    Raises:
        StorageError: the backup can't be used, the database is in use, or one is there and `force` was not given.
    """
    made_at = await asyncio.to_thread(_examine, backup)
    _require_leave(backup, database, made_at, now, force=force)
    deletions = await asyncio.to_thread(_deletions, database, made_at)
    scratch = database.with_name(f".{database.name}.restoring")
    try:
        await asyncio.to_thread(_copy, backup, scratch)
        async with await SqliteDatabase.open(scratch) as opened:
            await migrate(opened, load_migrations())
            again = await delete_again(opened, deletions)
        rows = await asyncio.to_thread(_checked, scratch, database)
        moved = await asyncio.to_thread(_change_places, scratch, database, aside)
        with explained(database):
            Ledger.beside(database).begin()
    finally:
        for file in (scratch, *_companions(scratch)):
            file.unlink(missing_ok=True)
    return Restored(
        made_at=made_at,
        rows=rows,
        aside=aside if moved else None,
        deleted_again=again,
        known_since=deletions.begun,
    )


def _examine(backup: Path) -> datetime | None:
    """Check that a file is a sound database of ours; return when it was made."""
    if not backup.is_file():
        raise StorageError(f"{backup}: there is no such file; `yorisoi backup` makes one")
    newest = load_migrations()[-1].number
    with explained(backup), _as_a_backup(backup), closing(_connect(backup)) as connection:
        require_sound(connection, backup)
        schema, tables = number(connection, "PRAGMA user_version"), names_of(connection)
        if schema == 0 or "conversations" not in tables:
            raise StorageError(f"{backup}: is a database, but not one of Yorisoi; choose another file")
        if schema > newest:
            raise StorageError(
                f"{backup}: was made by a newer version of the program (schema {schema}, this one knows up to "
                f"{newest}): update the program first"
            )
        if INFO_TABLE not in tables:
            return None
        (made_at,) = connection.execute(f"SELECT made_at FROM {INFO_TABLE}").fetchone()  # noqa: S608
    try:
        return datetime.fromisoformat(made_at)
    except ValueError as error:
        raise StorageError(f"{backup}: doesn't say when it was made; use another backup") from error


@contextmanager
def _as_a_backup(file: Path) -> Iterator[None]:
    # What helps where a database is damaged (restore a backup) doesn't where the backup is.
    try:
        yield
    except sqlite3.DatabaseError as error:
        known = _UNUSABLE.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
        if known is None:
            raise
        raise StorageError(f"{file}: {known}") from error


def _require_leave(backup: Path, database: Path, made_at: datetime | None, now: datetime, *, force: bool) -> None:
    if database.exists() and not force:
        raise StorageError(f"{database}: there is a database already; --force moves it aside and restores the backup")
    if database.exists():
        with _alone_with(database):
            pass  # nobody has it open: it is worth going on
    if not force and made_at is not None and now - made_at > LEDGER_REACHES:
        raise StorageError(
            f"{backup}: is older than {LEDGER_REACHES.days} days; what people had deleted since is not known any more, "
            "and would come back. --force restores it all the same"
        )


def _deletions(database: Path, made_at: datetime | None) -> Deletions:
    try:
        return Ledger.beside(database).since(None if made_at is None else made_at - _SLACK)
    except (OSError, ValueError, LookupError) as error:
        raise StorageError(
            f"{database.stem}-deletions.jsonl beside the database can't be read ({type(error).__name__}); without it, "
            "what people had deleted would come back. Mend it, or move it away to go on without it"
        ) from error


def _copy(backup: Path, scratch: Path) -> None:
    with explained(scratch):
        scratch.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        scratch.unlink(missing_ok=True)
        os.close(os.open(scratch, os.O_RDWR | os.O_CREAT | os.O_EXCL, _MODE))
        with closing(_connect(backup)) as source, closing(sqlite3.connect(scratch)) as copy:
            source.backup(copy)
            copy.execute(f"DROP TABLE IF EXISTS {INFO_TABLE}")
            copy.commit()


def _checked(scratch: Path, database: Path) -> dict[str, int]:
    with explained(scratch), closing(sqlite3.connect(scratch)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")  # so that it is one file while it changes places
        require_sound(connection, database)
        return rows_of(connection)


def _change_places(scratch: Path, database: Path, aside: Path) -> bool:
    with explained(database):
        if not database.exists():
            scratch.replace(database)
            return False
        aside.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _alone_with(database):
            # Copies in two steps, not a move: the folder of backups may be on another disk.
            _move(database, aside)
            for file, mark in zip(_companions(database), _COMPANIONS, strict=True):
                if file.exists():
                    _move(file, aside.with_name(aside.name + mark))
            scratch.replace(database)
        return True


def _move(file: Path, to: Path) -> None:
    import shutil  # noqa: PLC0415

    shutil.move(file, to)
    to.chmod(_MODE)


@contextmanager
def _alone_with(database: Path) -> Iterator[None]:
    """Hold a database so that nobody else has it open; one that is damaged nobody can hold, and it may go."""
    with closing(sqlite3.connect(database, timeout=0, isolation_level=None)) as connection:
        try:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
                raise StorageError(f"{database}: is in use; stop the bot that runs on it first") from error
        except sqlite3.DatabaseError:
            pass  # damaged: what a restore is for
        yield
        with suppress(sqlite3.Error):
            connection.rollback()


def _companions(path: Path) -> list[Path]:
    return [path.with_name(path.name + mark) for mark in _COMPANIONS]


def _connect(path: Path) -> sqlite3.Connection:
    # Reading makes no files beside a backup: it is one file, and may lie where nothing can be written.
    alone = "" if path.with_name(f"{path.name}-wal").exists() else "&immutable=1"
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro{alone}", uri=True, isolation_level=None)
