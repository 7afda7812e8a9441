"""Starts processes of the program, from one that is prepared (see `prepared.py`); used like asyncio's own.

One prepared process for each process of the test session, started when first needed; it ends with its starter.
"""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from asyncio import StreamReader, StreamWriter
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from pathlib import Path

from tests.acceptance.prepared import LARGEST, REPLY, Request

_ROOT = Path(__file__).parents[2]


class Spawned:
    """A running program: what `asyncio.subprocess.Process` offers, as far as tests ask for it."""

    def __init__(self, pid: int, answers: socket.socket) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self.stdin: StreamWriter | None = None
        self.stdout: StreamReader | None = None
        self.stderr: StreamReader | None = None
        self._waiting = asyncio.create_task(self._end(answers))

    async def wait(self) -> int:
        """Wait for the end; return the exit code."""
        return await asyncio.shield(self._waiting)

    async def communicate(self, data: bytes | None = None) -> tuple[bytes, bytes]:
        """Write `data`, read everything and wait for the end."""
        _, out, err = await asyncio.gather(self._write(data), _all(self.stdout), _all(self.stderr))
        await self.wait()
        return out, err

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal, unless it has ended."""
        if self.returncode is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    async def _end(self, answers: socket.socket) -> int:
        with answers:
            told = await asyncio.get_running_loop().sock_recv(answers, REPLY)
        self.returncode = int.from_bytes(told, signed=True)
        return self.returncode

    async def _write(self, data: bytes | None) -> None:
        if self.stdin is None:
            return
        try:
            if data:
                self.stdin.write(data)
                await self.stdin.drain()
        except (BrokenPipeError, ConnectionResetError):
            pass  # as with asyncio's: the program need not read
        finally:
            self.stdin.close()


async def spawn(
    *arguments: str,
    cwd: Path,
    env: Mapping[str, str],
    stdin: int | None = None,
    stdout: int | None = None,
    stderr: int | None = None,
    terminal: bool = False,
) -> Spawned:
    """Start the program with these arguments, or a script of this repository with the arguments behind its path.

    `terminal`: the streams are a terminal that is to be the process's own.
    """
    request = Request(arguments=list(arguments), folder=str(cwd), environment=dict(env), terminal=terminal)
    given, kept = zip(*(_stream(wanted, reads=n == 0) for n, wanted in enumerate((stdin, stdout, stderr))), strict=True)
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    socket.send_fds(_prepared()[0], [json.dumps(asdict(request)).encode()], [*given, theirs.fileno()])
    theirs.close()
    for descriptor, wanted in zip(given, (stdin, stdout, stderr), strict=True):
        if descriptor != wanted:
            os.close(descriptor)
    pid = int.from_bytes(await asyncio.get_running_loop().sock_recv(ours, REPLY), signed=True)
    process = Spawned(pid, ours)
    if kept[0] is not None:
        process.stdin = await _writer(kept[0])
    process.stdout, process.stderr = [await _reader(end) if end is not None else None for end in kept[1:]]
    return process


def _stream(wanted: int | None, *, reads: bool) -> tuple[int, int | None]:
    """Return the end that is given away and the one that is kept, if any."""
    if wanted == PIPE:
        reading, writing = os.pipe()
        return (reading, writing) if reads else (writing, reading)
    if wanted == DEVNULL or wanted is None:
        return os.open(os.devnull, os.O_RDWR), None
    return wanted, None


async def _writer(descriptor: int) -> StreamWriter:
    loop = asyncio.get_running_loop()
    transport, protocol = await loop.connect_write_pipe(
        lambda: asyncio.streams.FlowControlMixin(loop=loop), os.fdopen(descriptor, "wb", buffering=0)
    )
    return StreamWriter(transport, protocol, None, loop)


async def _reader(descriptor: int) -> StreamReader:
    loop, reader = asyncio.get_running_loop(), StreamReader()
    await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader, loop=loop), os.fdopen(descriptor, "rb", buffering=0)
    )
    return reader


async def _all(stream: StreamReader | None) -> bytes:
    return b"" if stream is None else await stream.read()


@cache
def _prepared() -> tuple[socket.socket, subprocess.Popen[bytes]]:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, LARGEST * 2)
    waiting = subprocess.Popen(
        [sys.executable, "-m", "tests.acceptance.prepared", str(theirs.fileno())],
        cwd=_ROOT,
        env={**os.environ, "LANG": "C.UTF-8"},
        pass_fds=[theirs.fileno()],
        stdin=subprocess.DEVNULL,
    )
    theirs.close()
    return ours, waiting
