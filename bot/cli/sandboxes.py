"""`yorisoi sandbox`: the same question with the prompt as it is and as it could be, and nothing left behind."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from bot.cli.common import JSON_HELP, configured, print_json, say

if TYPE_CHECKING:
    from bot.sandbox.order import Order
    from bot.settings import Settings
    from core.sandbox.records import Comparison

_COMPARE_HELP = """Ask the same with 2 to 4 variants of the prompt and show the answers side by side. Changes nothing.

Runs the code that answers in production, on one snapshot taken through a read-only connection. Only with
YORISOI_ENVIRONMENT=staging. Ctrl-C stops it and reports what was finished.

DRAFT is a TOML or YAML file, or the name of a draft that comes with the program: 16-08-ja, 16-08-en.
`yorisoi sandbox schema` prints its JSON Schema; docs/sandbox.md tells the rest.

Example: [bold]yorisoi sandbox compare 16-08-en --html incident.html[/bold]
Example: [bold]yorisoi sandbox compare draft.toml --model balanced --repetitions 20 --json[/bold]
"""
_TRACE_HELP = """Make a draft of a turn that took place, as far as its text is still held. Nothing is asked or changed.

The draft holds what people wrote, without their names and ids: forgetting them in the database does not reach that
file. `yorisoi sandbox turns` lists the ids.

Example: [bold]yorisoi sandbox from-trace 0a1b2c3d4e5f6g7h8i9j --output bad-answer.toml[/bold]
"""
_TURNS_HELP = """List the newest turns with their ids, for from-trace: when, the outcome, rules broken. No text.

Example: [bold]yorisoi sandbox turns --limit 50[/bold]
"""
_SCHEMA_HELP = """Print the JSON Schema of drafts, for editors.

Example: [bold]yorisoi sandbox schema > draft.schema.json[/bold]
"""
_DRAFT = typer.Argument(..., metavar="DRAFT", help="A file, or the name of a draft that comes with the program.")
_MODEL = typer.Option(None, "--model", "-m", help="Ask this model in every variant, whatever the draft says.")
_REPETITIONS = typer.Option(None, "--repetitions", "-n", min=1, max=100, help="How often each variant is run.")
_HTML = typer.Option(None, "--html", help="Write a page with prompts and answers side by side to this file.")
_KEEP = typer.Option(False, "--keep", help="Keep the figures (no prompts, no answers) for `yorisoi report`.")
_SAVE = typer.Option(None, "--save-case", help="Keep the draft under this name as a case for `yorisoi eval sandbox`.")
_OUTPUT = typer.Option(None, "--output", "-o", help="Write the draft to this file (readable by you alone).")
_INTERRUPTED = 130


def add_to(app: typer.Typer) -> None:
    """Add the command group."""
    group = typer.Typer(no_args_is_help=True, help="Compare prompts without any effect on what is stored or said.")
    group.command(name="compare", help=_COMPARE_HELP)(compare)
    group.command(name="from-trace", help=_TRACE_HELP)(from_trace)
    group.command(name="turns", help=_TURNS_HELP)(turns)
    group.command(name="schema", help=_SCHEMA_HELP)(schema)
    app.add_typer(group, name="sandbox")


def compare(
    *,
    draft: str = _DRAFT,
    model: str | None = _MODEL,
    repetitions: int | None = _REPETITIONS,
    html: Path | None = _HTML,
    save_case: str | None = _SAVE,
    keep: bool = _KEEP,
    json: bool = typer.Option(False, "--json", help=JSON_HELP),
) -> None:
    """Compare."""
    from bot.sandbox.files import require_place  # noqa: PLC0415
    from bot.sandbox.order import Order  # noqa: PLC0415
    from bot.sandboxes import require_staging  # noqa: PLC0415

    settings = configured(quiet=True).settings
    require_staging(settings)
    if html is not None:  # to be told ahead of a run that may take long
        require_place(html)
    order = Order(draft=draft, model=model, repetitions=repetitions)
    comparison = asyncio.run(_compared(settings, order, save_case))
    _show(comparison, settings, json=json)
    if html is not None:
        from bot.pages.wording import Wording  # noqa: PLC0415
        from bot.sandbox.page import write_page  # noqa: PLC0415

        write_page(comparison, html, Wording.of_operator("sandbox"), currency=settings.currency)
        say(f"The page is in {html}", err=True)
    if keep:
        _keep(settings, comparison)
    if save_case is not None:
        _save(settings, draft, comparison, save_case)
    raise typer.Exit(_exit_code(comparison))


def from_trace(
    turn: str = typer.Argument(..., metavar="ID", help="The id of a turn: 20 letters and digits."),
    output: Path | None = _OUTPUT,
) -> None:
    """Make a draft."""
    from bot.sandbox.files import write_private  # noqa: PLC0415
    from bot.sandboxes import Sandbox  # noqa: PLC0415
    from core.clock import SystemClock  # noqa: PLC0415
    from core.sandbox.tracing import as_draft  # noqa: PLC0415

    if output is not None and output.exists():
        raise typer.BadParameter(f"{output} is there already, and may hold changes of yours: name another file")
    sandbox = Sandbox.make(configured(quiet=True).settings, SystemClock())
    held, pack = asyncio.run(sandbox.held_turn(turn))
    text = as_draft(held, pack.character)
    if output is None:
        typer.echo(text, nl=False)
        return
    write_private(output, text)
    say(f"The draft is in {output}. It holds what people wrote: delete it when it has served.", err=True)


def turns(
    limit: int = typer.Option(20, "--limit", min=1, max=1000, help="How many."),
    json: bool = typer.Option(False, "--json", help=JSON_HELP),
) -> None:
    """List the turns."""
    from bot.sandboxes import Sandbox  # noqa: PLC0415
    from core.clock import SystemClock  # noqa: PLC0415

    records = asyncio.run(Sandbox.make(configured(quiet=True).settings, SystemClock()).turns(limit))
    found = [
        {
            "id": record.turn_id,
            "at": record.at.isoformat(timespec="seconds"),
            "character": record.conversation.character,
            "outcome": record.outcome,
            "broken": [rule for step in record.steps if step.status == "found" for rule in step.rules],
        }
        for record in records
    ]
    if json:
        print_json(found)
        return
    if not found:
        say(
            "No turn is kept: nobody has said anything yet, or it was longer ago than YORISOI_RETENTION_DAYS.", err=True
        )
    for one in found:
        typer.echo(
            f"{one['id']}  {one['at']}  {one['character']}  {one['outcome']}  {', '.join(one['broken'])}".rstrip()
        )


def schema() -> None:
    """Print the schema."""
    from core.sandbox.draft_file import json_schema  # noqa: PLC0415

    print_json(json_schema())


async def _compared(settings: "Settings", order: "Order", save_case: str | None) -> "Comparison":
    from bot.sandbox.cases import require_case  # noqa: PLC0415
    from bot.sandbox.watching import progress  # noqa: PLC0415
    from bot.sandboxes import Sandbox, cases_folder, draft_at  # noqa: PLC0415
    from bot.stopping import stop_event  # noqa: PLC0415
    from core.clock import SystemClock  # noqa: PLC0415

    sandbox = Sandbox.make(settings, SystemClock())
    draft = sandbox.prepare(order)
    if save_case is not None:  # as well ahead of the run
        require_case(draft_at(order.draft), draft, save_case, cases_folder(settings))
    with progress(len(draft.variants) * draft.repetitions) as advance:
        return await sandbox.run(draft, stop=stop_event(), advance=advance)


def _show(comparison: "Comparison", settings: "Settings", *, json: bool) -> None:
    if json:
        from bot.sandbox.report import as_json  # noqa: PLC0415

        print_json(as_json(comparison) | {"currency": settings.currency})
        return
    from rich.console import Console  # noqa: PLC0415

    from bot.pages.wording import Wording  # noqa: PLC0415
    from bot.sandbox.table import show  # noqa: PLC0415

    show(comparison, Console(highlight=False), Wording.of_operator("sandbox"))


def _save(settings: "Settings", draft: str, comparison: "Comparison", name: str) -> None:
    from bot.sandbox.cases import save_case  # noqa: PLC0415
    from bot.sandboxes import cases_folder, draft_at  # noqa: PLC0415
    from prompts.loader import PromptLibrary  # noqa: PLC0415

    path = save_case(draft_at(draft), comparison, name, cases_folder(settings), PromptLibrary.load())
    say(f"The case is in {path}; `yorisoi eval sandbox` runs it.", err=True)


def _keep(settings: "Settings", comparison: "Comparison") -> None:
    from bot.report.sandbox_results import keep  # noqa: PLC0415
    from bot.sandbox.report import as_json  # noqa: PLC0415
    from core.clock import SystemClock  # noqa: PLC0415

    path = keep(as_json(comparison), settings.sandbox_results_path, now=SystemClock().now())
    say(f"The figures are in {path}; `yorisoi report` shows them.", err=True)


def _exit_code(comparison: "Comparison") -> int:
    """Return 130 for a comparison that was cancelled, 1 for one that ran into its budget or got no answer."""
    from core.sandbox.records import Stopped  # noqa: PLC0415

    if comparison.stopped is Stopped.CANCELLED:
        return _INTERRUPTED
    return 1 if comparison.stopped is not None or not comparison.was_answered else 0
