"""`yorisoi usage`."""

from datetime import date, timedelta
from typing import TYPE_CHECKING

import typer

from bot.cli.common import JSON_HELP, configured, print_json, run_async
from bot.speech.words import words

if TYPE_CHECKING:
    from rich.table import Table

    from bot.speech.words import Words
    from bot.usage_report import UsageReport
    from core.ports import UsageSum

_HELP = """Show what model calls used in a month: tokens, money, by feature, model, person and day.

Calls that ended in silence, repairs, summaries and choices are all counted. Costs follow the prices in the settings.

Example: [bold]yorisoi usage[/bold]
Example: [bold]yorisoi usage --month 2026-11 --json[/bold]
"""
_MONTH = typer.Option(None, "--month", "-m", metavar="YYYY-MM", help="The month; this one if left out.")
_CHART = typer.Option(None, "--chart", metavar="FILE", help="Also draw the days into a PNG file.")


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(name="usage", help=_HELP)(usage)


def usage(
    month: str | None = _MONTH,
    chart: str | None = _CHART,
    json: bool = typer.Option(False, "--json", help=JSON_HELP),
) -> None:
    """Report."""
    from bot.errands import usage_of_month  # noqa: PLC0415
    from bot.usage_report import as_json  # noqa: PLC0415

    settings = configured(quiet=True).settings
    report = run_async(usage_of_month(settings, _days(month)))
    if chart is not None:
        _draw(chart, report)
    if json:
        print_json(as_json(report, settings.currency))
    else:
        _show(report, settings.currency)


def _days(month: str | None) -> tuple[date, date] | None:
    """Return the first and the last day of a month."""
    if month is None:
        return None
    try:
        first = date.fromisoformat(f"{month}-01")
    except ValueError:
        raise typer.BadParameter(f"'{month}' is not a month. A good value: 2026-11", param_hint="--month") from None
    return first, (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)


def _draw(path: str, report: "UsageReport") -> None:
    from pathlib import Path  # noqa: PLC0415

    from bot.errors import StartError  # noqa: PLC0415
    from bot.usage_chart import chart as drawn  # noqa: PLC0415

    try:
        Path(path).write_bytes(drawn(report.by_day))
    except OSError as error:
        raise StartError(f"{path} can't be written ({error.strerror}): name another file.") from error


def _show(report: "UsageReport", currency: str) -> None:
    from rich.console import Console  # noqa: PLC0415

    console = Console(highlight=False)
    spoken = words()
    console.print(spoken(f"{report.first} to {report.day}, costs in {currency}"))
    totals = _table("")
    _add(totals, str(report.day), report.today)
    _add(totals, spoken.label("in all"), report.month)
    console.print(totals)
    parts = {"feature": report.by_feature, "model": report.by_model, "user": report.by_user or ()}
    for name, sums in parts.items():
        if sums:
            table = _table(name)
            for one in sums:
                _add(table, _named(name, one, spoken), one)
            console.print(table)
    if report.month.estimated:
        text = f"{report.month.estimated:,} calls are estimates: their servers gave no numbers of tokens."
        console.print(spoken(text))


def _named(kind: str, one: "UsageSum", spoken: "Words") -> str:
    """Return what a row is about; people and models have names of their own, features are ours."""
    if kind == "user" and not one.name:
        return spoken.label("nobody alone")
    return spoken.label(str(one.name)) if kind == "feature" else str(one.name)


def _table(name: str) -> "Table":
    from rich.table import Table  # noqa: PLC0415

    label = words().label
    table = Table(box=None)
    table.add_column(label(name))
    for column in ("calls", "tokens in", "tokens out", "cost"):
        table.add_column(label(column), justify="right")
    return table


def _add(table: "Table", label: str, one: "UsageSum") -> None:
    cost = f"{one.cost_micros / 1_000_000:,.4f}"
    table.add_row(label, f"{one.calls:,}", f"{one.input_tokens:,}", f"{one.output_tokens:,}", cost)
