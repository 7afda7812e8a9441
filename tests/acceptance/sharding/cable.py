"""The way from a process to its database: it can be cut without either end being told, and mended."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path


class Cable:
    """A port that leads to a PostgreSQL's socket."""

    def __init__(self, socket: Path) -> None:
        self.port = 0
        self._socket = socket
        self._whole = asyncio.Event()
        self._whole.set()
        self._carrying: set[asyncio.Task[None]] = set()

    @classmethod
    @asynccontextmanager
    async def laid(cls, socket: Path) -> AsyncIterator["Cable"]:
        """Lay a cable for the time of the context."""
        cable = cls(socket)
        server = await asyncio.start_server(cable._connected, "127.0.0.1", 0)
        cable.port = server.sockets[0].getsockname()[1]
        try:
            yield cable
        finally:
            server.close()
            for task in cable._carrying:
                task.cancel()
            await asyncio.gather(*cable._carrying, return_exceptions=True)

    def url(self, database: str) -> str:
        """The address of a database at the other end."""
        return f"postgresql://yorisoi@127.0.0.1:{self.port}/{database}?sslmode=disable&gssencmode=disable"

    def cut(self) -> None:
        """Let nothing through from now on, and nobody know."""
        self._whole.clear()

    def mend(self) -> None:
        """Let everything through again, what was held up meanwhile too."""
        self._whole.set()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._carrying.add(task)
        try:
            with suppress(OSError, asyncio.CancelledError):  # the streams log a task that was cancelled as a fault
                await self._whole.wait()
                far_reader, far_writer = await asyncio.open_unix_connection(self._socket)
                await asyncio.gather(self._carry(reader, far_writer), self._carry(far_reader, writer))
        finally:
            self._carrying.discard(task)
            writer.close()

    async def _carry(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        try:
            with suppress(OSError):
                while data := await source.read(65_536):
                    await self._whole.wait()
                    sink.write(data)
                    await sink.drain()
        finally:
            sink.close()
