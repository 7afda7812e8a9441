"""Backups in the course of time: made when one is due, deleted when they are old."""

from datetime import datetime, timedelta
from typing import Protocol

import structlog

from core.errors import StorageError

_log = structlog.get_logger(__name__)


class Backups(Protocol):
    """Where backups are kept."""

    async def newest(self) -> datetime | None:
        """Return when the newest was made."""

    async def make(self, now: datetime) -> object:
        """Make one; the oldest of too many go."""

    async def sweep(self, now: datetime) -> int:
        """Delete those that are older than anything may be kept; return how many."""


class BackupTick:
    """Deletes old backups, and makes one where the newest is older than `every`; None: none is made."""

    def __init__(self, backups: Backups, *, every: timedelta | None) -> None:
        self._backups = backups
        self._every = every

    async def tick(self, now: datetime) -> bool:
        """Do what is due at `now`; return whether a backup was made. A failure is logged and tried again next time."""
        try:
            gone = await self._backups.sweep(now)
            made = await self._is_due(now)
            if made:
                await self._backups.make(now)
        except StorageError as error:
            _log.error("backup_failed", reason=str(error))
            return False
        if gone or made:
            _log.info("backups_done", made=made, deleted=gone)
        return made

    async def _is_due(self, now: datetime) -> bool:
        if self._every is None:
            return False
        newest = await self._backups.newest()
        return newest is None or now - newest >= self._every
