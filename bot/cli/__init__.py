"""The command line, `yorisoi`. Nothing heavy is imported before a command needs it."""

import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line and end the process with its exit code."""
    from bot.cli.program import run  # noqa: PLC0415

    sys.exit(run(sys.argv[1:]))
