"""Where lines come from: a pipe or a keyboard. Reading happens in daemon threads, so it can't hold up an exit."""

import asyncio
import codecs
import os
import select
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

_T = TypeVar("_T")
_CHUNK = 65_536
_POLL_SECONDS = 0.1
_END_KEY = "\x04"
_CONTROL_CHARACTERS = 6  # the place in what tcgetattr returns


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


class KeyboardLines:
    """Lines typed by a person: with line editing, history and pasted blocks as one message where readline is there."""

    def __init__(self, *, prompt: str) -> None:
        self._prompt = prompt
        self._terminal = _SavedTerminal()
        self._ended = False

    async def next(self) -> str | None:
        """Show the prompt and wait for a line."""
        if self._ended:
            return None
        try:
            return await in_daemon_thread(self._ask)
        except EOFError:
            return None

    async def next_while_busy(self) -> str | None:
        """Wait for a line without showing a prompt, so that /stop works while text is appearing."""
        done = threading.Event()
        try:
            typed = await in_daemon_thread(lambda: _typed_line(done))
        except OSError:
            typed = ""
        finally:
            done.set()
        # "" is a terminal that is gone; Ctrl-D is a character like any other here, see `end_key`.
        self._ended = typed is not None and typed[:1] in {"", _END_KEY}
        return None if typed is None or self._ended else typed.rstrip("\r\n")

    def restore(self) -> None:
        """Put the terminal back as it was found; a prompt that was still open has changed it."""
        self._terminal.restore()

    def _ask(self) -> str:
        _enable_line_editing()
        with self._terminal.end_key():
            return input(self._prompt)


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


def _enable_line_editing() -> None:
    # Importing readline is what turns on line editing in input(); some Pythons are built without it.
    try:
        import readline  # noqa: PLC0415
    except ImportError:
        return
    readline.parse_and_bind("set enable-bracketed-paste on")


def _typed_line(done: threading.Event) -> str | None:
    """Return a line with its end, "" at the end of input, None once it is `done`."""
    if sys.platform == "win32":
        return None  # Consoles can't be polled there: what is typed waits for the prompt.
    descriptor = sys.stdin.fileno()
    while not done.is_set():
        ready, _, _ = select.select([descriptor], [], [], _POLL_SECONDS)
        # Once the reply is out the line belongs to the prompt, which reads it itself.
        if ready and not done.is_set():
            return os.read(descriptor, _CHUNK).decode(errors="replace")
    return None


class _SavedTerminal:
    """The terminal's modes as they were when this was made."""

    def __init__(self) -> None:
        self._modes: list[Any] | None = None
        if sys.platform != "win32":
            self._modes = _termios().tcgetattr(sys.stdin.fileno())

    @contextmanager
    def end_key(self) -> Iterator[None]:
        """Let Ctrl-D end the input while the context is open, and afterwards be a character like any other.

        Typed while no prompt is open it would otherwise be lost: what the system keeps of it means nothing to the
        prompt that opens next.
        """
        self._set_end_key(active=True)
        try:
            yield
        finally:
            self._set_end_key(active=False)

    def restore(self) -> None:
        if self._modes is not None:
            _termios().tcsetattr(sys.stdin.fileno(), _termios().TCSADRAIN, self._modes)

    def _set_end_key(self, *, active: bool) -> None:
        if self._modes is None:
            return
        termios, descriptor = _termios(), sys.stdin.fileno()
        modes = termios.tcgetattr(descriptor)
        usual, none = self._modes[_CONTROL_CHARACTERS][termios.VEOF], bytes([os.fpathconf(descriptor, "PC_VDISABLE")])
        modes[_CONTROL_CHARACTERS][termios.VEOF] = usual if active else none
        termios.tcsetattr(descriptor, termios.TCSANOW, modes)


def _termios() -> Any:  # noqa: ANN401
    import termios  # noqa: PLC0415 - not there on Windows

    return termios
