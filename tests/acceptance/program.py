"""Runs the real `yorisoi` process: with pipes, or on a pseudo-terminal of its own."""

import asyncio
import os
import pty
import re
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.acceptance.spawning import Spawned, spawn

_SECONDS = 90


def clean_environment(folder: Path, **settings: str) -> dict[str, str]:
    """Return an environment with these settings and no others, keeping its data in `folder`."""
    # PYTHONPATH: where set, the process under test must be of the same code as the test.
    kept = ("PATH", "PYTHONPATH", "SSL_CERT_FILE", "TMPDIR")
    return {
        **{name: os.environ[name] for name in kept if name in os.environ},
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "TERM": "xterm",
        "COLUMNS": "200",
        "NO_PROXY": "127.0.0.1",
        "YORISOI_DATA_DIR": str(folder / "yorisoi-data"),
        **settings,
    }


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a process ended."""

    code: int
    out: str
    err: str


async def run(*arguments: str, folder: Path, typed: str | bytes = "", **settings: str) -> Outcome:
    """Run the program to its end with `typed` on a pipe."""
    process = await spawn(
        *arguments, cwd=folder, env=clean_environment(folder, **settings), stdin=PIPE, stdout=PIPE, stderr=PIPE
    )
    data = typed.encode() if isinstance(typed, str) else typed
    try:
        out, err = await asyncio.wait_for(process.communicate(data), _SECONDS)
    except TimeoutError:
        process.kill()
        raise
    return Outcome(process.returncode or 0, out.decode(), err.decode())


class Screen:
    """A pseudo-terminal with the program on it: what it wrote, and a keyboard."""

    def __init__(self, process: Spawned, master: int) -> None:
        self.process = process
        self.text = ""
        self._master = master
        self._changed = asyncio.Event()
        asyncio.get_running_loop().add_reader(master, self._read)

    @property
    def lines(self) -> list[str]:
        """What a person sees, without what moved or erased it."""
        return rendered(self.text)

    async def shows(self, line: str) -> None:
        """Wait until the last line with anything on it is this one."""
        async with asyncio.timeout(_SECONDS):
            while [*filter(None, self.lines)][-1:] != [line]:
                self._changed.clear()
                await self._changed.wait()

    def type(self, text: str) -> None:
        """Press keys."""
        os.write(self._master, text.encode())

    async def until(self, text: str, *, times: int = 1) -> None:
        """Wait until a text has appeared so many times."""
        try:
            async with asyncio.timeout(_SECONDS):
                while self.text.count(text) < times:
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            raise AssertionError(f"{text!r} did not appear in {self.text!r}") from None

    async def ended(self) -> int:
        """Wait for the end; return the exit code."""
        return await asyncio.wait_for(self.process.wait(), _SECONDS)

    def close(self) -> None:
        """Let go of the terminal."""
        asyncio.get_running_loop().remove_reader(self._master)
        with suppress(OSError):
            os.close(self._master)

    def _read(self) -> None:
        try:
            self.text += os.read(self._master, 65_536).decode(errors="replace")
        except OSError:
            asyncio.get_running_loop().remove_reader(self._master)
        self._changed.set()


_PIECE = re.compile(r"\x1b\[([?\d;]*)([A-Za-z])|\x1b.|([\r\n\b\x07])|([^\x1b\r\n\b\x07]+)")


def rendered(output: str) -> list[str]:
    """Return the lines a terminal of endless size shows; knows the movements and erasures that the program uses."""
    lines: list[list[str]] = [[]]
    row = column = 0
    for parameters, command, control, text in _PIECE.findall(output):
        number = int(parameters) if parameters.isdigit() else 1
        line = lines[row]
        if text:
            line.extend(" " * (column - len(line)))
            line[column : column + len(text)] = text
            column += len(text)
        elif control == "\n":
            row += 1
            lines.extend([] for _ in range(row + 1 - len(lines)))
        elif control:
            column = {"\r": 0, "\b": max(0, column - 1)}.get(control, column)
        elif command == "A":
            row = max(0, row - number)
        elif command == "K":
            del line[0 if parameters == "2" else column :]
        elif command in {"C", "D"}:
            column = max(0, column + (number if command == "C" else -number))
        elif command == "P":
            del line[column : column + number]
    return ["".join(line).rstrip() for line in lines]


@asynccontextmanager
async def on_a_terminal(
    *arguments: str, folder: Path, settings: Mapping[str, str] | None = None
) -> AsyncIterator[Screen]:
    """Start the program on a terminal that is its own, so that Ctrl-C reaches it as a signal."""
    master, slave = pty.openpty()
    process = await spawn(
        *arguments,
        cwd=folder,
        env=clean_environment(folder, **(settings or {})),
        stdin=slave,
        stdout=slave,
        stderr=slave,
        terminal=True,
    )
    os.close(slave)
    screen = Screen(process, master)
    try:
        yield screen
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
        screen.close()
