"""The modes of the terminal on standard input."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_LOCAL_MODES, _CONTROL_CHARACTERS = 3, 6  # places in what tcgetattr returns


class TerminalModes:
    """The terminal's modes: as they were when this was made, or quiet."""

    def __init__(self) -> None:
        self._modes: list[Any] | None = None
        if sys.platform != "win32":
            self._modes = _termios().tcgetattr(sys.stdin.fileno())

    @contextmanager
    def at_a_prompt(self) -> Iterator[None]:
        """Let the terminal be as it was found while the context is open, and quiet afterwards."""
        self._set(self._modes)
        try:
            yield
        finally:
            self.be_quiet()

    def be_quiet(self) -> None:
        """Show nothing of what is typed, and hand it over key by key; Ctrl-C stays a signal."""
        if self._modes is None:
            return
        termios, modes = _termios(), [*self._modes]
        modes[_LOCAL_MODES] &= ~(termios.ICANON | termios.ECHO)
        modes[_CONTROL_CHARACTERS] = [*modes[_CONTROL_CHARACTERS]]
        modes[_CONTROL_CHARACTERS][termios.VMIN], modes[_CONTROL_CHARACTERS][termios.VTIME] = 1, 0
        self._set(modes)

    def restore(self) -> None:
        """Put the terminal back as it was found; a prompt that was still open has changed it."""
        if self._modes is not None:
            _termios().tcsetattr(sys.stdin.fileno(), _termios().TCSADRAIN, self._modes)

    def _set(self, modes: list[Any] | None) -> None:
        if modes is not None:
            _termios().tcsetattr(sys.stdin.fileno(), _termios().TCSANOW, modes)


def _termios() -> Any:  # noqa: ANN401
    import termios  # noqa: PLC0415 - not there on Windows

    return termios
