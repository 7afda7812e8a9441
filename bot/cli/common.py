"""What several commands need: the settings, a console, JSON output."""

import asyncio
import json
import sys
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from rich.console import Console

    from bot.settings import Configuration

_T = TypeVar("_T")

JSON_HELP = "Write JSON to stdout, for programs."


def configured(*, quiet: bool = False) -> "Configuration":
    """Read the settings and set up logging. `quiet` holds logs to warnings, where a person reads along."""
    from bot import logs, settings  # noqa: PLC0415

    configuration = settings.load()
    chosen = configuration.settings
    level = "warning" if quiet and chosen.log_level == "info" else chosen.log_level
    logs.configure(level=level, form=chosen.log_format, secrets=configuration.secrets())
    return configuration


def run_async(work: Coroutine[Any, Any, _T]) -> _T:
    """Run a coroutine to its end."""
    return asyncio.run(work)


def errors_console() -> "Console":
    """Return a console on stderr, for progress and notices."""
    from rich.console import Console  # noqa: PLC0415

    return Console(stderr=True, highlight=False)


def print_json(value: object) -> None:
    """Write a value as one JSON document."""
    json.dump(value, sys.stdout, ensure_ascii=False, indent=2, default=str)
    sys.stdout.write("\n")
