"""`yorisoi run` with a witness that reports every step to a test and goes on only when told to.

To be run as a process of its own: `python watched_process.py PORT CLOCK`. On PORT a `Director` listens; the file
CLOCK holds by how many seconds (a double) this process's wall clock is wrong, and may change at any time.
"""

import asyncio
import json
import mmap
import os
import struct
import sys
from datetime import datetime, timedelta
from pathlib import Path

from bot import logs, settings
from bot.app import serve_discord
from core.clock import SystemClock
from core.proactive.attempt import Step
from core.proactive.types import Slot


class WrongClock(SystemClock):
    """The machine's clock, as wrong as a file says."""

    def __init__(self, file: Path) -> None:
        with file.open("rb") as opened:
            self._wrong_by = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)

    def now(self) -> datetime:
        (seconds,) = struct.unpack("d", self._wrong_by[:8])
        return super().now() + timedelta(seconds=seconds)


class Reporter:
    """`Witness`: tells the director, and waits for its answer."""

    def __init__(self, port: int) -> None:
        self._port = port

    async def reached(self, step: Step, slot: Slot) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        report = {"step": step.value, "recipient": slot.recipient.id, "process": os.getpid()}
        writer.write(json.dumps(report).encode() + b"\n")
        await reader.readline()
        writer.close()


def main(port: str, clock: str) -> None:
    """Run on Discord."""
    configuration = settings.load()
    logs.configure(level="info", form="json", secrets=configuration.secrets())
    asyncio.run(serve_discord(configuration, witness=Reporter(int(port)), clock=WrongClock(Path(clock))))


if __name__ == "__main__":
    main(*sys.argv[1:])
