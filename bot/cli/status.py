"""`yorisoi status`."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

import typer

from bot.cli.common import JSON_HELP, configured, print_json, say

if TYPE_CHECKING:
    from pathlib import Path

    from bot.operations.status_file import Found

_HELP = """Show how the running program is: since when, connections, models, the last turn and tick, what waits.

The exit code is 0 while it runs and every character is connected, else 1. It asks nobody: the program itself writes
down every ten seconds how it is.

Example: [bold]yorisoi status --json[/bold]
"""


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(name="status", help=_HELP)(status)


def status(json: bool = typer.Option(False, "--json", help=JSON_HELP)) -> None:
    """Report."""
    from bot.operations.disk import database_bytes  # noqa: PLC0415
    from bot.operations.status_file import read  # noqa: PLC0415
    from core.clock import SystemClock  # noqa: PLC0415

    settings = configured(quiet=True).settings
    found = read(settings.status_path, now=SystemClock().now())
    size = database_bytes(settings.database)
    if json:
        print_json({"running": found.running, "well": found.is_well, "database_bytes": size, "status": found.held})
    else:
        _show(found, _database(size, settings.database_path))
    raise typer.Exit(0 if found.is_well else 1)


def _show(found: "Found", database: str) -> None:
    held = found.held
    if not found.running:
        last = f" (last seen {_moment(held['at'])}; it did not end in order)" if held is not None else ""
        say(f"not running{last}")
    elif held is not None:
        say(f"running since {_moment(held['started_at'])}, process {held['pid']}")
        for line in _lines(held):
            say(line)
    say(f"database: {database}")


def _database(size: int | None, path: "Path") -> str:
    if size is None:
        return "on a server"
    return f"{size / 1e6:.1f} MB" if size else f"none yet at {path}"


def _lines(held: dict[str, Any]) -> list[str]:
    gateways = [
        f"{character}: {gateway['state']} since {_moment(gateway['since'])}"
        for character, gateway in held["gateways"].items()
    ]
    models = [
        f"model {name}: {'answered' if health['up'] else 'failed'} {_moment(health['at'])}"
        for name, health in held["models"].items()
    ]
    return [
        *(gateways or ["no character is connecting yet"]),
        *models,
        f"last turn: {_moment(held['last_turn_at'])}",
        f"last tick: {_moment(held['last_tick_at'])}",
        f"conversations being answered or waiting: {held['backlog']}",
    ]


def _moment(text: str | None) -> str:
    if text is None:
        return "none yet"
    return f"{datetime.fromisoformat(text).astimezone():%Y-%m-%d %H:%M:%S}"
