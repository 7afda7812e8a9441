"""`yorisoi simulate`."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

from bot.cli.common import JSON_HELP, print_json
from bot.speech.words import words

_HELP = """Let a simulated month pass in minutes: real code, invented people, crashes and a clock that is set.

Reports what was said first and what wasn't, and counts broken rules from what reached people. Ends with 1 if a rule
was broken. The same seed gives the same report.

Example: [bold]yorisoi simulate --days 30 --users 1000 --seed 7 --html month.html[/bold]
"""
_HTML = typer.Option(
    None, "--html", dir_okay=False, writable=True, help="Also write a page with pictures to this file."
)


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(name="simulate", help=_HELP)(simulate)


def simulate(
    days: int = typer.Option(30, "--days", min=1, max=366, help="How many days pass."),
    users: int = typer.Option(1000, "--users", min=1, max=100_000, help="How many people there are."),
    seed: int = typer.Option(7, "--seed", min=0, help="Which world it is."),
    restarts: int = typer.Option(12, "--restarts", min=0, max=10_000, help="How often the program is killed."),
    jumps: int = typer.Option(12, "--jumps", min=0, max=10_000, help="How often its clock is set."),
    html: Path | None = _HTML,
    json: bool = typer.Option(False, "--json", help=JSON_HELP),
) -> None:
    """Run a simulation and report."""
    from bot import logs, simulations  # noqa: PLC0415
    from bot.pages.wording import Wording  # noqa: PLC0415
    from bot.simulation.lines import lines  # noqa: PLC0415
    from bot.simulation.report import Plan  # noqa: PLC0415

    logs.configure(level="critical")
    wording = Wording.of_operator("simulation")
    plan = Plan(days=days, users=users, seed=seed, restarts=restarts, jumps=jumps)
    with _progress() as progress:
        outcome = simulations.simulate(plan, progress=progress)
    if html is not None:
        html.write_text(simulations.page(outcome, wording), "utf-8")
    if json:
        print_json(outcome.as_json())
    else:
        for line in lines(outcome, wording):
            typer.echo(line)
    if any(outcome.violations.values()):
        raise typer.Exit(1)


@contextmanager
def _progress() -> Iterator[Callable[[float], None]]:
    """Show a bar on a terminal, nothing elsewhere."""
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import Progress  # noqa: PLC0415

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(words()("Simulating"), total=1.0)
        yield lambda share: bar.update(task, completed=share)
