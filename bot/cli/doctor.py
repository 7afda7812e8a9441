"""`yorisoi doctor`."""

from typing import TYPE_CHECKING

import typer

from bot.cli.common import JSON_HELP, print_json, run_async

if TYPE_CHECKING:
    from bot.doctor.finding import Finding

_HELP = """Look at everything a start depends on; each line says ok, warning or problem and how to mend it.

The exit code is 0 when there is no problem, else 1. Works with nothing configured; secrets are never shown.

Example: [bold]yorisoi doctor --json[/bold]
"""
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
    from rich.console import Console  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    console = Console(highlight=False, soft_wrap=True)
    for finding in findings:
        label = Text(f"{finding.level.value:8}", style=_STYLES[finding.level.value])
        console.print(Text.assemble(label, f"{finding.topic}: {finding.text}"))
        if finding.fix:
            console.print(Text(f"        {finding.fix}", style="dim"))
