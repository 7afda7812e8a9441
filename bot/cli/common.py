"""What several commands need: the settings, a console, JSON output."""

import json
import sys
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from bot.speech.words import words

if TYPE_CHECKING:
    from bot.settings import Configuration

_T = TypeVar("_T")

JSON_HELP = "Write JSON to stdout, for programs."


def configured(*, quiet: bool = False) -> "Configuration":
    """Read the settings, set up logging, and say which variables mean nothing. `quiet`: see `quieten`."""
    from bot import settings  # noqa: PLC0415
    from bot.packs import known_token_variables  # noqa: PLC0415

    configuration = settings.load()
    if quiet:
        quieten(configuration)
    else:
        _set_up_logs(configuration, least=None)
    for line in configuration.warnings(also_known=known_token_variables(configuration.settings)):
        say(line, err=True)
    return configuration


def quieten(configuration: "Configuration") -> None:
    """Hold logs back where they would stand in the way, unless another level was asked for.

    In a conversation on the screen only errors are shown, else warnings.
    """
    _set_up_logs(configuration, least="error" if sys.stderr.isatty() and sys.stdout.isatty() else "warning")


def _set_up_logs(configuration: "Configuration", *, least: str | None) -> None:
    from bot import logs  # noqa: PLC0415
    from bot.packs import known_token_variables  # noqa: PLC0415

    settings = configuration.settings
    level = least if least is not None and settings.log_level == "info" else settings.log_level
    tokens = known_token_variables(settings)
    logs.configure(level=level, form=settings.log_format, secrets=configuration.secrets(token_names=tokens))


def run_async(work: Coroutine[Any, Any, _T]) -> _T:
    """Run a coroutine to its end, on the faster event loop where there is one: it isn't made for Windows."""
    import asyncio  # noqa: PLC0415

    try:
        from uvloop import new_event_loop  # noqa: PLC0415
    except ImportError:
        return asyncio.run(work)
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        return runner.run(work)


def say(text: str, *, err: bool = False) -> None:
    """Write a line for people, which is given in English, in the operator's language."""
    typer.echo(words()(text), err=err)


def print_json(value: object) -> None:
    """Write a value as one JSON document."""
    json.dump(value, sys.stdout, ensure_ascii=False, indent=2, default=str)
    sys.stdout.write("\n")
