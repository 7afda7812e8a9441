"""The status as a file, by which `yorisoi status` knows how the running program is."""

import asyncio
import json
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import structlog

from bot.operations.vitals import Status
from core.clock import Clock

EVERY_SECONDS = 10.0
_STALE = timedelta(seconds=60)
_MODE = 0o600

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a status file says. `running`: a program of that process id wrote it a moment ago."""

    running: bool
    held: dict[str, Any] | None

    @property
    def is_well(self) -> bool:
        """Whether it runs and every character is connected."""
        return self.running and self.held is not None and bool(self.held.get("well"))


@asynccontextmanager
async def kept(path: Path, status: Callable[[], Status], clock: Clock) -> AsyncIterator[None]:
    """Write the status again and again until the end of the context; then remove the file."""
    writing = asyncio.create_task(_keep(path, status, clock))
    try:
        yield
    finally:
        writing.cancel()
        await asyncio.gather(writing, return_exceptions=True)
        with suppress(OSError):
            await asyncio.to_thread(path.unlink, missing_ok=True)


def read(path: Path, *, now: datetime) -> Found:
    """Return what is known of the program that writes there; a file that can't be read is as none."""
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
        at, pid = datetime.fromisoformat(held["at"]), int(held["pid"])
    except (OSError, ValueError, KeyError, TypeError):
        return Found(running=False, held=None)
    return Found(running=abs(now - at) <= _STALE and _is_alive(pid), held=held)


def write(path: Path, status: Status) -> None:
    """Write a status in the place of the one before."""
    draft = path.with_suffix(".new")
    text = json.dumps(status.as_json(), default=_plain, ensure_ascii=False)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _MODE), "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(draft, path)  # noqa: PTH105 - replaces what is there, on every system


async def _keep(path: Path, status: Callable[[], Status], clock: Clock) -> None:
    failed = False
    while True:
        try:
            await asyncio.to_thread(write, path, status())
            failed = False
        except OSError as error:
            if not failed:
                _log.warning("status.not_written", error=type(error).__name__)
            failed = True
        await clock.sleep(EVERY_SECONDS)


def _plain(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OSError):
        return True
    return True
