"""The command line, `yorisoi`. Nothing heavy is imported before a command needs it."""

import os
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line and end the process with its exit code."""
    # The sums of a turn are small: more than one thread for each only waits for the others (ten times as long).
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from bot.cli.program import run  # noqa: PLC0415

    sys.exit(run(sys.argv[1:]))
