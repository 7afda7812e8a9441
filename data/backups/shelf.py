"""The folder of backups: how they are called, which are kept, and when they go."""

import asyncio
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from core.errors import StorageError
from data.backups.making import Made, make_backup
from data.ledger import Ledger
from data.sqlite.failures import explained

_NAME = re.compile(r"yorisoi-(before-restore-)?(\d{8}T\d{6}Z)\.db(?:-wal|-shm)?")
_STAMP = "%Y%m%dT%H%M%SZ"


class Shelf:
    """`scheduler.backups.Backups` on a folder."""

    def __init__(self, *, database: Path, folder: Path, keep: int, retention: timedelta) -> None:
        self._database = database
        self._folder = folder
        self._keep = keep
        self._retention = retention

    async def newest(self) -> datetime | None:
        """Return when the newest backup was made."""
        return max(await asyncio.to_thread(lambda: [at for at, _ in self._backups()]), default=None)

    async def make(self, now: datetime) -> Made:
        """Make a backup, then let the oldest of too many go.

        Raises:
            StorageError: it can't be made.
        """
        made = await asyncio.to_thread(make_backup, self._database, self.place(now), now=now)
        await asyncio.to_thread(self._rotate)
        return made

    async def make_at(self, to: Path, now: datetime) -> Made:
        """Make a backup elsewhere, which nobody looks after.

        Raises:
            StorageError: it can't be made.
        """
        return await asyncio.to_thread(make_backup, self._database, to, now=now)

    async def sweep(self, now: datetime) -> int:
        """Delete what is older than the retention, what a restore put aside included; return how many files.

        Raises:
            StorageError: the folder can't be changed.
        """
        return await asyncio.to_thread(self._sweep, now - self._retention)

    def place(self, now: datetime) -> Path:
        """Return where a backup of now goes."""
        return self._folder / f"yorisoi-{now.astimezone(UTC).strftime(_STAMP)}.db"

    def place_aside(self, now: datetime) -> Path:
        """Return where a restore puts the database that was there."""
        return self._folder / f"yorisoi-before-restore-{now.astimezone(UTC).strftime(_STAMP)}.db"

    def _backups(self) -> Iterator[tuple[datetime, Path]]:
        return ((at, path) for at, path, aside in self._files() if not aside)

    def _files(self) -> Iterator[tuple[datetime, Path, bool]]:
        with explained(self._folder):
            for path in sorted(self._folder.iterdir()) if self._folder.is_dir() else ():
                if match := _NAME.fullmatch(path.name):
                    yield datetime.strptime(match[2], _STAMP).replace(tzinfo=UTC), path, match[1] is not None

    def _rotate(self) -> None:
        with explained(self._folder):
            for _, path in sorted(self._backups(), reverse=True)[self._keep :]:
                path.unlink()

    def _sweep(self, before: datetime) -> int:
        old = [path for at, path, _ in self._files() if at < before]
        with explained(self._folder):
            for path in old:
                path.unlink()
        try:
            Ledger.beside(self._database).prune()
        except (OSError, ValueError, LookupError) as error:
            raise StorageError(f"the list of deletions beside {self._database} can't be read") from error
        return len(old)
