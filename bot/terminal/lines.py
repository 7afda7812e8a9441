"""Where lines come from: a pipe or a keyboard. Reading happens in daemon threads, so it can't hold up an exit."""

import asyncio
import codecs
import os
import select
import sys
import threading
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from bot.terminal.ahead import TypeAhead
from bot.terminal.modes import TerminalModes

_T = TypeVar("_T")
_CHUNK = 65_536
_POLL_SECONDS = 0.1


class Lines(Protocol):
    """A source of lines."""

    async def next(self) -> str | None:
        """Wait for the next line, without its end; None when there are no more."""

    async def next_while_busy(self) -> str | None:
        """Wait for a line while a reply is being written; None where the source doesn't listen then."""


class PipedLines:
    """Lines of a pipe or a file, read as they are asked for: what comes faster waits in the pipe."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        # Bad bytes become replacement characters: one wrong byte is no reason to lose a conversation.
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")(errors="replace")
        self._text = ""
        self._ended = False

    async def next(self) -> str | None:
        """Wait for the next line; the last one may lack its newline."""
        while "\n" not in self._text and not self._ended:
            chunk = await self._read()
            self._ended = not chunk
            self._text += self._decoder.decode(chunk, final=self._ended)
        if not self._text:
            return None
        line, _, self._text = self._text.partition("\n")
        return line.rstrip("\r")

    async def _read(self) -> bytes:
        try:
            return await in_daemon_thread(lambda: os.read(self._descriptor, _CHUNK))
        except OSError:
            return b""  # Closed or broken: there is nothing more to read either way.

    async def next_while_busy(self) -> str | None:
        """Return None: piped lines are answered one after the other."""
        return None


class Watcher(Protocol):
    """Shows what is typed while no prompt is open."""

    def typing(self, text: str) -> None:
        """Show the line that is begun; "" when there is none."""

    def said(self, text: str) -> None:
        """Show a line that was entered, for good."""


class KeyboardLines:
    """Lines typed by a person: with line editing, history and pasted blocks as one message where readline is there.

    While no prompt is open the terminal is quiet: what is typed then is read key by key and shown by the watcher, or
    it would end up in the midst of what is being written. What was begun goes on at the next prompt.
    """

    def __init__(self, *, prompt: str, watcher: Watcher) -> None:
        self._prompt = prompt
        self._watcher = watcher
        self._terminal = TerminalModes()
        self._ahead = TypeAhead()
        self._reading = threading.Lock()
        self._terminal.be_quiet()

    async def next(self) -> str | None:
        """Show the prompt and wait for a line, unless one was entered before."""
        with self._reading:
            while not self._ahead.ended and _is_waiting(0.0):
                self._ahead.feed(_read_keys())
        if self._ahead.lines or self._ahead.ended:
            return self._entered_before()
        begun = self._ahead.take_text()
        self._watcher.typing("")
        try:
            return await in_daemon_thread(lambda: self._ask(begun))
        except EOFError:
            return None

    async def next_while_busy(self) -> str | None:
        """Wait for a line without showing a prompt, so that /stop works while text is appearing."""
        done, loop = threading.Event(), asyncio.get_running_loop()

        def show() -> None:
            loop.call_soon_threadsafe(self._watcher.typing, self._ahead.shown)

        try:
            await in_daemon_thread(lambda: self._listen(done, show))
        finally:
            done.set()
        return self._entered_before()

    def restore(self) -> None:
        """Put the terminal back as it was found."""
        self._terminal.restore()

    def _entered_before(self) -> str | None:
        self._watcher.typing(self._ahead.shown)
        if not self._ahead.lines:
            return None
        line = self._ahead.lines.popleft()
        self._watcher.said(line)
        return line

    def _ask(self, begun: str) -> str:
        readline = _line_editing()
        with self._terminal.at_a_prompt():
            if readline is None:
                return begun + input(self._prompt + begun)
            readline.set_startup_hook(lambda: readline.insert_text(begun))
            return input(self._prompt)

    def _listen(self, done: threading.Event, show: Callable[[], None]) -> None:
        """Read keys until they make a line, there are no more, or it is `done`."""
        if sys.platform == "win32":
            return  # Consoles can't be polled there: what is typed waits for the prompt.
        while not (self._ahead.lines or self._ahead.ended or done.is_set()):
            if not _is_waiting(_POLL_SECONDS):
                continue
            with self._reading:
                # Once the reply is out what is typed belongs to the prompt, which reads it itself.
                if not done.is_set():
                    self._ahead.feed(_read_keys())
                    show()


async def in_daemon_thread(function: Callable[[], _T]) -> _T:
    """Run something that blocks in a thread that neither the loop nor the interpreter waits for at exit."""
    loop = asyncio.get_running_loop()
    outcome: asyncio.Future[_T] = loop.create_future()

    def settle(result: _T | None, error: BaseException | None) -> None:
        if outcome.done():
            return
        if error is not None:
            outcome.set_exception(error)
        else:
            outcome.set_result(result)  # type: ignore[arg-type]

    def work() -> None:
        result, error = None, None
        try:
            result = function()
        except (EOFError, OSError, ValueError) as problem:
            error = problem
        try:
            loop.call_soon_threadsafe(settle, result, error)
        except RuntimeError:
            return  # The loop was closed meanwhile: nobody waits for this line any more.

    threading.Thread(target=work, name="yorisoi-input", daemon=True).start()
    return await outcome


def _line_editing() -> Any:  # noqa: ANN401 - a module that some Pythons are built without
    # Importing readline is what turns on line editing in input().
    try:
        import readline  # noqa: PLC0415
    except ImportError:
        return None
    readline.parse_and_bind("set enable-bracketed-paste on")
    return readline


def _is_waiting(seconds: float) -> bool:
    if sys.platform == "win32":
        return False
    try:
        return bool(select.select([sys.stdin.fileno()], [], [], seconds)[0])
    except (OSError, ValueError):
        return True


def _read_keys() -> bytes:
    try:
        return os.read(sys.stdin.fileno(), _CHUNK)
    except (OSError, ValueError):
        return b""  # The terminal is gone.
