"""`yorisoi bench turn`."""

import typer

from bot.cli.common import JSON_HELP, print_json, run_async

_TURN_HELP = """Measure the program's own time per turn: a model that answers at once, real pipeline, real database.

Example: [bold]yorisoi bench turn --turns 500 --json[/bold]
"""


def add_to(app: typer.Typer) -> None:
    """Add the command group."""
    group = typer.Typer(no_args_is_help=True, help="Measure how fast the program itself is.")
    group.command(name="turn", help=_TURN_HELP)(turn)
    app.add_typer(group, name="bench")


def turn(
    turns: int = typer.Option(500, "--turns", min=10, max=100_000, help="How many turns to run."),
    json: bool = typer.Option(False, "--json", help=JSON_HELP),
) -> None:
    """Run the bench."""
    from bot import logs  # noqa: PLC0415
    from bot.app import bench_turns  # noqa: PLC0415

    logs.configure(level="error")
    result = run_async(bench_turns(turns))
    if json:
        print_json(result)
        return
    for name, value in result.items():
        typer.echo(f"{name:28} {value}")
