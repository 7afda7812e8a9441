"""Puts backups together, for the running program and for operators who ask for one."""

from datetime import timedelta
from pathlib import Path

from bot.errors import StartError
from bot.settings import Settings
from core.clock import SystemClock
from data.backups.making import Made
from data.backups.restoring import Restored, restore
from data.backups.shelf import Shelf
from scheduler.backups import BackupTick

__all__ = ["Made", "Restored", "back_up", "backup_tick", "restore_backup", "shelf_of"]


def shelf_of(settings: Settings) -> Shelf:
    """Return the folder of backups.

    Raises:
        StartError: everything is kept on a server of PostgreSQL.
    """
    if settings.database_url is not None:
        raise StartError("The database is PostgreSQL's: back it up with pg_dump, and restore it with pg_restore.")
    return Shelf(
        database=settings.database_path,
        folder=settings.backups_path,
        keep=settings.backups_kept,
        retention=timedelta(days=settings.retention_days),
    )


def backup_tick(settings: Settings) -> BackupTick | None:
    """Return what makes and deletes backups while the program runs; None on PostgreSQL, which has its own ways."""
    if settings.database_url is not None:
        return None
    hours = settings.backup_hours
    return BackupTick(shelf_of(settings), every=timedelta(hours=hours) if hours else None)


async def back_up(settings: Settings, to: Path | None) -> Made:
    """Make a backup, among the others where no file is named.

    Raises:
        StartError: there is another way for this database.
        StorageError: it can't be made.
    """
    shelf, now = shelf_of(settings), SystemClock().now()
    return await (shelf.make(now) if to is None else shelf.make_at(to, now))


async def restore_backup(settings: Settings, file: Path, *, force: bool) -> Restored:
    """Put a backup in the place of the database.

    Raises:
        StartError: there is another way for this database.
        StorageError: it can't be done; everything is as it was.
    """
    now = SystemClock().now()
    aside = shelf_of(settings).place_aside(now)
    return await restore(file, settings.database_path, aside=aside, now=now, force=force)
