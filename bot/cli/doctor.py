"""`yorisoi doctor`."""

from typing import TYPE_CHECKING

import typer

from bot.cli.common import JSON_HELP, print_json, run_async
from bot.speech.words import words

if TYPE_CHECKING:
    from bot.doctor.finding import Finding
    from bot.speech.words import Words

_HELP = """Look at everything a start depends on; each line says ok, warning or problem and how to mend it.

The exit code is 0 when there is no problem, else 1. Works with nothing configured; secrets are never shown.

Example: [bold]yorisoi doctor --json[/bold]
"""
_LEVEL_WIDTH = 8
_STYLES = {"ok": "green", "warning": "yellow", "problem": "bold red"}


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(name="doctor", help=_HELP)(doctor)


def doctor(json: bool = typer.Option(False, "--json", help=JSON_HELP)) -> None:
    """Examine and report."""
    from bot import logs  # noqa: PLC0415
    from bot.doctor.finding import is_healthy  # noqa: PLC0415
    from bot.errands import examine  # noqa: PLC0415

    logs.configure(level="error")
    findings = run_async(examine())
    healthy = is_healthy(findings)
    if json:
        print_json({"healthy": healthy, "findings": [finding.as_json() for finding in findings]})
    else:
        _show(findings)
    raise typer.Exit(0 if healthy else 1)


def _show(findings: "list[Finding]") -> None:
    from rich.cells import set_cell_size  # noqa: PLC0415
    from rich.console import Console  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    spoken = words()
    console = Console(highlight=False, soft_wrap=True)
    for finding in findings:
        level = set_cell_size(spoken.label(finding.level.value), _LEVEL_WIDTH)
        text = f"{_topic(finding.topic, spoken)}: {spoken(finding.text)}"
        console.print(Text.assemble(Text(level, style=_STYLES[finding.level.value]), text))
        if finding.fix:
            console.print(Text(f"{'':{_LEVEL_WIDTH}}{spoken(finding.fix)}", style="dim"))


def _topic(topic: str, spoken: "Words") -> str:
    """Return a topic, and what it is about in particular: "model (basic)"."""
    name, between, particular = topic.partition(" (")
    return spoken.label(name) + between + particular
