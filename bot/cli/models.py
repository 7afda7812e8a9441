"""`yorisoi models install` and `yorisoi models status`."""

import typer

from bot.cli.common import JSON_HELP, configured, print_json, run_async, say
from bot.speech.words import words

_INSTALL_HELP = """Fetch the weights of the embedded model (1.07 GB, checked against their known hash).

Example: [bold]yorisoi models install[/bold]
"""
_STATUS_HELP = """Show which model each tier uses and whether the embedded one is there. No key is shown.

Example: [bold]yorisoi models status --json[/bold]
"""


def add_to(app: typer.Typer) -> None:
    """Add the command group."""
    group = typer.Typer(no_args_is_help=True, help="Look at the chat models and fetch the embedded one.")
    group.command(name="install", help=_INSTALL_HELP)(install)
    group.command(name="status", help=_STATUS_HELP)(status)
    app.add_typer(group, name="models")


def install() -> None:
    """Fetch the weights."""
    from bot.embedded import ensure_weights  # noqa: PLC0415

    path = run_async(ensure_weights(configured(quiet=True).settings))
    say(f"The embedded model is ready: {path}")


def status(json: bool = typer.Option(False, "--json", help=JSON_HELP)) -> None:
    """Show the tiers."""
    from bot.models import model_status  # noqa: PLC0415

    tiers = model_status(configured(quiet=True).settings)
    if json:
        print_json(tiers)
        return
    for tier, models in tiers.items():
        typer.echo(f"{tier}:")
        for model in models:
            at = words().label("embedded") if "ready" in model else model["at"]
            typer.echo(f"  {model['model']} ({at})")
