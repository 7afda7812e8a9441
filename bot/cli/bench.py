"""`yorisoi bench`."""

from collections.abc import Mapping

import typer

from bot.cli.common import JSON_HELP, print_json, run_async

_TURN_HELP = """Measure the program's own time per turn: a model that answers at once, real pipeline, real database.

Example: [bold]yorisoi bench turn --turns 500 --json[/bold]
"""


_RECALL_HELP = """Measure the archive at a size: finding messages by words, choosing what a model is shown, deleting.

Example: [bold]yorisoi bench recall --messages 1000000 --json[/bold]
"""


def add_to(app: typer.Typer) -> None:
    """Add the command group."""
    group = typer.Typer(no_args_is_help=True, help="Measure how fast the program itself is.")
    group.command(name="turn", help=_TURN_HELP)(turn)
    group.command(name="recall", help=_RECALL_HELP)(recall)
    app.add_typer(group, name="bench")


def turn(
    turns: int = typer.Option(500, "--turns", min=10, max=100_000, help="How many turns to run."),
    json: bool = typer.Option(False, "--json", help=JSON_HELP),
) -> None:
    """Run the bench."""
    from bot import logs  # noqa: PLC0415
    from bot.app import bench_turns  # noqa: PLC0415

    logs.configure(level="error")
    _show(run_async(bench_turns(turns)), json=json)


def recall(
    messages: int = typer.Option(100_000, "--messages", min=1_000, max=5_000_000, help="How many messages to store."),
    json: bool = typer.Option(False, "--json", help=JSON_HELP),
) -> None:
    """Run the bench."""
    from bot import logs  # noqa: PLC0415
    from bot.app import bench_recall  # noqa: PLC0415

    logs.configure(level="error")
    _show(run_async(bench_recall(messages)), json=json)


def _show(result: Mapping[str, float], *, json: bool) -> None:
    if json:
        print_json(result)
        return
    for name, value in result.items():
        typer.echo(f"{name:28} {value}")
