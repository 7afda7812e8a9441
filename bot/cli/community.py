"""`yorisoi social cycle` and `yorisoi reembed`."""

from typing import TYPE_CHECKING, Any

import typer

from bot.cli.common import JSON_HELP, configured, print_json, run_async, say
from bot.speech.language import operator_language
from bot.speech.words import words

if TYPE_CHECKING:
    from core.social.cycle import CycleReport

_CYCLE_HELP = """Rehearse one cycle of a character in the community: what it would read, like, answer and post, and why.

It goes by the posts that are kept, without Discord; the model is asked (which counts as usage), and nothing is changed.

Example: [bold]yorisoi social cycle --once --dry-run --character hinata[/bold]
"""
_REEMBED_HELP = """Make all vectors anew, after YORISOI_EMBEDDING_MODEL was changed. Can be broken off and run again.

Example: [bold]yorisoi reembed[/bold]
"""
_CHARACTER = typer.Option(None, "--character", "-c", help="The character's name; needed only if there are several.")
_ONLY_REHEARSED = (
    "Without Discord a cycle can only be rehearsed: add --dry-run. On Discord, /social run-once runs one for real."
)


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(no_args_is_help=True, help="Look at what characters do as members of a community.")
    group.callback()(lambda: None)
    group.command(name="cycle", help=_CYCLE_HELP)(cycle)
    app.add_typer(group, name="social")
    app.command(name="reembed", help=_REEMBED_HELP)(reembed)


def cycle(
    once: bool = typer.Option(False, "--once", help="One cycle; there are no others from here."),
    dry_run: bool = typer.Option(False, "--dry-run", help="Change nothing; needed."),
    character: str | None = _CHARACTER,
    json: bool = typer.Option(False, "--json", help=JSON_HELP),
) -> None:
    """Rehearse a cycle."""
    del once
    if not dry_run:
        raise typer.BadParameter(_ONLY_REHEARSED)
    from bot.app import rehearse_cycle  # noqa: PLC0415

    report = run_async(rehearse_cycle(configured(quiet=True).settings, character))
    if json:
        print_json(_as_json(report))
    else:
        from bot.cli.rehearsals import told  # noqa: PLC0415

        for line in told(report, operator_language()):
            typer.echo(line)


def reembed() -> None:
    """Make vectors anew."""
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import Progress  # noqa: PLC0415

    from bot.errands import reembed as run  # noqa: PLC0415

    settings = configured(quiet=True).settings
    console = Console(stderr=True)
    with Progress(console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task(words()("Vectors"), total=None)
        done, model = run_async(run(settings, lambda made, total: bar.update(task, completed=made, total=total)))
    now = f"All vectors are of '{model}' now."
    say(f"1 vector was made anew. {now}" if done == 1 else f"{done} vectors were made anew. {now}")


def _as_json(report: "CycleReport") -> dict[str, Any]:
    record = report.record
    return {
        "character": record.character,
        "note": record.note,
        "calls": report.calls,
        "done": dict(record.done),
        "failed": dict(record.failed),
        "decisions": [
            {
                "what": decision.what,
                "target": None if decision.target is None else str(decision.target),
                "done": decision.done,
                "why": decision.why,
                "text": decision.text,
            }
            for decision in report.decisions
        ],
    }
