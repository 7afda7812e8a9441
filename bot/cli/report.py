"""`yorisoi report`."""

from pathlib import Path

import typer

from bot.cli.common import configured, run_async, say
from core.values import Locale

_HELP = """Write a page about the bot for those who run it: status, cost, speaking first, interests, stance, sandbox.

One HTML file that needs nothing else, with no messages and no names or ids of people in it. Reads only; it may be run
beside the running program. `/report` on Discord sends the same.

Example: [bold]yorisoi report --html report.html[/bold]
Example: [bold]yorisoi report --html report.html --language ja --sandbox comparison.json[/bold]
"""
_HTML = typer.Option(..., "--html", metavar="FILE", help="The file to write; what is there is replaced.")
_LANGUAGE = typer.Option(
    None, "--language", "-l", help="The page's language; YORISOI_OPERATOR_LANGUAGE if left out.", show_choices=True
)
_SANDBOX = typer.Option(
    None,
    "--sandbox",
    metavar="FILE",
    help="Also show this result of `yorisoi sandbox compare --json` (figures only); may be given repeatedly.",
)


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(name="report", help=_HELP)(report)


def report(html: Path = _HTML, language: Locale | None = _LANGUAGE, sandbox: list[Path] | None = _SANDBOX) -> None:
    """Write the page."""
    from bot.report.sandbox_results import read  # noqa: PLC0415
    from bot.reports import Reports  # noqa: PLC0415
    from bot.sandbox.files import require_place, write_private  # noqa: PLC0415
    from core.clock import SystemClock  # noqa: PLC0415
    from prompts.messages import Messages  # noqa: PLC0415

    settings = configured(quiet=True).settings
    require_place(html)
    results = tuple(map(read, sandbox or ()))
    reports = Reports(settings=settings, clock=SystemClock(), messages=Messages.load(), results=results)
    write_private(html, run_async(reports.page_of_database(language or settings.operator_language)))
    say(f"The report is in {html}", err=True)
