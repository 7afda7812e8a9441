"""A character's schedule as its files say now: read again when they changed, and refused while they are broken."""

import asyncio
from pathlib import Path

import structlog

from core.errors import PackError, ScheduleUnavailableError
from core.facts.capsule.inspection import timetable_of
from core.facts.schedule.timetable import Timetable
from data.packs.loader import load_pack
from data.packs.sources import CALENDAR_FILE, CHARACTER_FILE, SCHEDULE_FILE

_FILES = (CHARACTER_FILE, SCHEDULE_FILE, CALENDAR_FILE)

_Stamp = tuple[tuple[int, int, int] | None, ...]
"""What tells a file from an edited one: when it was changed, its size, which file it is; None where it is missing."""

_log = structlog.get_logger(__name__)


class LiveTimetable:
    """`TimetableSource` over the folder of a pack. Files are looked at beside the event loop."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._stamp: _Stamp | None = None
        self._timetable: Timetable | None = None
        self._broken: PackError | None = None
        self._reading = asyncio.Lock()

    async def current(self) -> Timetable | None:
        """Return the timetable; None for a character without a schedule.

        Raises:
            ScheduleUnavailableError: the pack can't be used as it is now written.
        """
        async with self._reading:
            stamp = await asyncio.to_thread(self._look)
            if stamp != self._stamp:
                await self._read()
                self._stamp = stamp
            if self._broken is not None:
                raise ScheduleUnavailableError(f"the pack in {self._folder} can't be used") from self._broken
            return self._timetable

    async def _read(self) -> None:
        try:
            self._timetable = await asyncio.to_thread(_timetable, self._folder)
            self._broken = None
        except PackError as error:
            _log.error("schedule.broken", folder=str(self._folder), problems=[str(found) for found in error.problems])
            self._broken = error

    def _look(self) -> _Stamp:
        return tuple(_stamp(self._folder / file) for file in _FILES)


def _timetable(folder: Path) -> Timetable | None:
    return timetable_of(load_pack(folder))


def _stamp(file: Path) -> tuple[int, int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
