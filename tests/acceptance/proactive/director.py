"""Takes the reports of watched processes, and lets each go on at once unless it is to halt there."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from core.proactive.attempt import Step
from tests.discord_server.signal import Signal

_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Report:
    """A process has come that far with a recipient's slot."""

    step: Step
    recipient: int
    process: int


@dataclass(slots=True)
class Halt:
    """A step at which processes wait for a recipient until they are let go; one that waits can be killed."""

    step: Step
    recipient: int
    signal: Signal
    arrived: set[int] = field(default_factory=set)
    _open: asyncio.Event = field(default_factory=asyncio.Event)

    async def reached(self, *, processes: int = 1) -> None:
        """Return once so many processes wait here."""
        await self.signal.until(
            lambda: len(self.arrived) >= processes,
            what=f"{processes} × {self.step} of {self.recipient}",
            within=_SECONDS,
        )

    def release(self) -> None:
        """Let everybody go on, now and later."""
        self._open.set()

    async def passed(self, process: int) -> None:
        """Wait, as a process does."""
        self.arrived.add(process)
        self.signal.notify()
        await self._open.wait()


class Director:
    """Use `async with Director.start(signal)`. `reports` has everything that was reported, in order."""

    def __init__(self, signal: Signal) -> None:
        self.reports: list[Report] = []
        self.port = 0
        self._signal = signal
        self._halts: list[Halt] = []

    @classmethod
    @asynccontextmanager
    async def start(cls, signal: Signal) -> AsyncIterator["Director"]:
        """Listen on a free port."""
        director = cls(signal)
        server = await asyncio.start_server(director._take, "127.0.0.1", 0)
        director.port = server.sockets[0].getsockname()[1]
        try:
            yield director
        finally:
            director.clear()
            server.close()
            await server.wait_closed()

    def halt(self, step: Step, recipient: int) -> Halt:
        """Let processes wait when they come to a step with a recipient's slot."""
        halt = Halt(step, recipient, self._signal)
        self._halts.append(halt)
        return halt

    def clear(self) -> None:
        """Forget all halts and let everybody go on."""
        for halt in self._halts:
            halt.release()
        self._halts.clear()

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        told = json.loads(await reader.readline())
        report = Report(Step(told["step"]), told["recipient"], told["process"])
        self.reports.append(report)
        self._signal.notify()
        for halt in list(self._halts):
            if (halt.step, halt.recipient) == (report.step, report.recipient):
                await halt.passed(report.process)
        with suppress(ConnectionError):
            writer.write(b"on\n")
            await writer.drain()
            writer.close()
            await writer.wait_closed()
