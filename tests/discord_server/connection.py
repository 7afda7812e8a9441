"""One websocket of the gateway, with an ordered outbox, so that telling an event never waits for a socket."""

import asyncio
import json
import socket
import struct
from dataclasses import dataclass

from aiohttp import web

from tests.discord_server.model import Json


@dataclass(frozen=True, slots=True)
class Close:
    """The end of an outbox: the close code to send."""

    code: int


class Connection:
    """A connected socket; frames leave in the order they were put."""

    def __init__(self, request: web.Request, ws: web.WebSocketResponse) -> None:
        self._transport = request.transport
        self._ws = ws
        self._outbox: asyncio.Queue[str | Close] = asyncio.Queue()
        self._writer = asyncio.create_task(self._write())

    def send(self, frame: Json) -> None:
        """Queue a frame."""
        self._outbox.put_nowait(json.dumps(frame))

    def send_text(self, text: str) -> None:
        """Queue a frame that is JSON already."""
        self._outbox.put_nowait(text)

    def close(self, code: int) -> None:
        """Close with a code once everything queued before has left."""
        self._outbox.put_nowait(Close(code))

    def drop(self) -> None:
        """Break the TCP connection without a close frame."""
        reset_transport(self._transport)

    async def stop(self) -> None:
        """End the writer."""
        self._writer.cancel()
        await asyncio.gather(self._writer, return_exceptions=True)

    async def _write(self) -> None:
        while True:
            item = await self._outbox.get()
            try:
                if isinstance(item, Close):
                    await self._ws.close(code=item.code)
                    return
                await self._ws.send_str(item)
            except ConnectionError:
                # The peer is gone; the reading side notices and parks the session.
                return


def reset_transport(transport: asyncio.Transport | None) -> None:
    """Break a connection with a TCP RST, as a failing network does (a plain close would be a FIN)."""
    if transport is None:
        return
    raw = transport.get_extra_info("socket")
    if raw is not None:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()
