"""`yorisoi eval`: talks held with models, and how they went. `eval stance` for the talks that come with the program."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from bot.cli.common import JSON_HELP, configured, print_json, say
from bot.speech.words import words

if TYPE_CHECKING:
    from bot.evaluation.order import Order
    from bot.evaluation.report import Report

_STANCE_HELP = """Measure how models keep their stance, with and without the posture block and the gate.

Holds the talks that come with the program (every category, Japanese and English, single-turn and multi-turn) with each
model in each variant, through the real pipeline, and tells by what was delivered which of them passed.

Models: scripted (all of these: flatterer, mind-reader, prescriber, clinger, turner, steady); embedded; advanced,
balanced, basic; or the name of a model in the settings. Ctrl-C stops a run and reports what was finished.

Example: [bold]yorisoi eval stance --model scripted --html stance.html[/bold]
Example: [bold]yorisoi eval stance --model embedded --limit 8 --variants neither,both --json[/bold]
Example: [bold]yorisoi eval stance --record-floors tests/evals/stance/floors.json[/bold]
"""
_SANDBOX_HELP = """Run the sandbox's regression cases: what was mended has to stay so.

Cases are drafts that `yorisoi sandbox compare --save-case` kept, and those that come with the program; they rest on no
database and run anywhere. Exits with 1 where a case does not hold any more. With --model the variants that had the
fault may do better; those that held still have to.

Example: [bold]yorisoi eval sandbox[/bold]
Example: [bold]yorisoi eval sandbox my-case.toml --model balanced --json[/bold]
"""
_CASES = typer.Argument(None, metavar="[CASE]...", help="Files of cases; all there are if left out.")
_CASE_MODEL = typer.Option(None, "--model", "-m", help="Ask this model in every variant, whatever the cases say.")
_MODEL = typer.Option(["scripted"], "--model", "-m", help="A model; may be given several times.")
_VARIANTS = typer.Option("neither,policy,gate,both", "--variants", help="What is switched on, separated by commas.")
_LOCALE = typer.Option(None, "--locale", "-l", help="Only the talks in this language: ja or en.")
_CATEGORY = typer.Option(None, "--category", help="Only the talks of this category; may be given several times.")
_LIMIT = typer.Option(None, "--limit", min=1, help="At most so many talks for each model and variant.")
_CONCURRENCY = typer.Option(4, "--concurrency", min=1, max=64, help="How many talks are held at once.")
_CHARACTER = typer.Option(None, "--character", "-c", help="Who answers (a character's name).")
_FIXTURES = typer.Option(None, "--fixtures", help="A folder of talks in place of those that come with the program.")
_HTML = typer.Option(None, "--html", help="Write a page with every figure and every transcript to this file.")
_FLOORS = typer.Option(None, "--floors", help="Exit with 1 where a figure is below its floor in this file.")
_RECORD = typer.Option(None, "--record-floors", help="Write what was reached to this file, as the new floors.")
_INTERRUPTED = 130


def add_to(app: typer.Typer) -> None:
    """Add the command group."""
    group = typer.Typer(no_args_is_help=True, help="Measure how models behave in talks.")
    group.command(name="stance", help=_STANCE_HELP)(stance)
    group.command(name="sandbox", help=_SANDBOX_HELP)(sandbox)
    app.add_typer(group, name="eval")


def stance(
    *,
    model: list[str] = _MODEL,
    variants: str = _VARIANTS,
    locale: str | None = _LOCALE,
    category: list[str] | None = _CATEGORY,
    limit: int | None = _LIMIT,
    concurrency: int = _CONCURRENCY,
    character: str | None = _CHARACTER,
    fixtures: Path | None = _FIXTURES,
    html: Path | None = _HTML,
    floors: Path | None = _FLOORS,
    record_floors: Path | None = _RECORD,
    json: bool = typer.Option(False, "--json", help=JSON_HELP),
) -> None:
    """Run the evaluation."""
    from bot.evaluation.order import Order  # noqa: PLC0415

    order = Order.of(
        models=model,
        variants=variants,
        locale=locale,
        categories=category or [],
        limit=limit,
        concurrency=concurrency,
        fixtures=fixtures,
    )
    for file in filter(None, (html, record_floors)):
        if not file.parent.is_dir():  # to be told ahead of a run that may take an hour
            raise typer.BadParameter(f"there is no folder {file.parent}")
    report = asyncio.run(_held(order, character))
    _show(report, json=json)
    if html is not None:
        from bot.evaluation.page import write_page  # noqa: PLC0415
        from bot.pages.wording import Wording  # noqa: PLC0415

        write_page(report, html, Wording.of_operator("evaluation"))
        say(f"The page is in {html}", err=True)
    raise typer.Exit(_verdict(report, floors=floors, record_floors=record_floors))


def sandbox(
    cases: list[Path] | None = _CASES,
    model: str | None = _CASE_MODEL,
    json: bool = typer.Option(False, "--json", help=JSON_HELP),
) -> None:
    """Run the cases."""
    from bot.sandboxes import Sandbox, run_cases, saved_cases  # noqa: PLC0415
    from core.clock import SystemClock  # noqa: PLC0415

    settings = configured(quiet=True).settings
    found = asyncio.run(run_cases(Sandbox.make(settings, SystemClock()), cases or saved_cases(settings), model))
    if json:
        print_json([{"case": str(one.path), "passed": one.passed, "broken": list(one.broken)} for one in found])
    else:
        for one in found:
            typer.echo(f"{words().label('passed' if one.passed else 'FAILED')}  {one.path.stem}")
            for line in one.broken:
                say(f"        {line}")
    raise typer.Exit(0 if all(one.passed for one in found) else 1)


async def _held(order: "Order", character: str | None) -> "Report":
    from bot.errands import evaluation_files, open_evaluation  # noqa: PLC0415
    from bot.evaluation.order import carry_out  # noqa: PLC0415
    from bot.packs import load_character  # noqa: PLC0415

    settings = configured(quiet=True).settings
    pack = load_character(settings, character)
    prepared = order.prepare(settings, evaluation_files())
    async with open_evaluation(settings, pack) as stage:
        return await carry_out(prepared, stage)


def _show(report: "Report", *, json: bool) -> None:
    if json:
        from bot.evaluation.report import as_json  # noqa: PLC0415

        print_json(as_json(report))
        return
    from rich.console import Console  # noqa: PLC0415

    from bot.evaluation.table import show  # noqa: PLC0415
    from bot.pages.wording import Wording  # noqa: PLC0415

    show(report, Console(highlight=False), Wording.of_operator("evaluation"))


def _verdict(report: "Report", *, floors: Path | None, record_floors: Path | None) -> int:
    """Return the exit code: 130 for a run that was stopped, 1 for one that fell short."""
    from core.stance.evaluation import floors as recorded  # noqa: PLC0415

    if not report.complete:
        return _INTERRUPTED
    if record_floors is not None:
        recorded.write(record_floors, recorded.record(report.cells))
        say(f"The floors are in {record_floors}", err=True)
    if floors is None:
        return 0
    short = recorded.shortfalls(recorded.read(floors), report.cells)
    for line in short:
        say(line, err=True)
    return 1 if short else 0
