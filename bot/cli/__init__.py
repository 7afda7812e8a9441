"""The command line, `yorisoi`. Nothing heavy is imported before a command needs it."""

import os
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line and end the process with its exit code."""
    _fill_standard_streams()
    # The sums of a turn are small: more than one thread for each only waits for the others (ten times as long).
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from bot.cli.program import run  # noqa: PLC0415

    sys.exit(run(sys.argv[1:]))


def _fill_standard_streams() -> None:
    """Put the null device where the process was started without one of its three streams.

    The next file to be opened would take that one's place, and uvloop ends a process that does so.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free
            setattr(sys, name, open(number, "w" if number else "r", encoding="utf-8", closefd=False))  # noqa: SIM115
