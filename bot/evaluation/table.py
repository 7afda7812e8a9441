"""A run as tables in the terminal: one for each model, an axis a line, a variant a column."""

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bot.evaluation.report import Report
from core.rates import Rate
from core.stance.evaluation.axes import Axis
from core.stance.evaluation.figures import Cell
from core.turn.trace import TurnOutcome

_GOOD, _FAIR = 0.9, 0.6


def show(report: Report, console: Console) -> None:
    """Print the tables, and what they mean."""
    for model in report.models:
        cells = [cell for cell in report.cells if cell.model == model]
        console.print(_table(model, cells, scripted=model in report.scripted))
    console.print("Talks that passed, with 95 % Wilson intervals. docs/evaluation.md says what each number can't tell.")
    if not report.complete:
        console.print(f"Stopped: {len(report.talks)} of {report.planned} talks were held.", style="bold")


def percent(rate: Rate) -> str:
    """Return a rate as `94 %` and, on a second line, `83–98`: four variants fit into 80 columns."""
    low, high = rate.interval
    return f"{rate.share * 100:.0f} %\n{low * 100:.0f}–{high * 100:.0f}"


def _table(model: str, cells: list[Cell], *, scripted: bool) -> Table:
    judged = "by labels and written checks" if scripted else "by written checks"
    table = Table(title=f"{model} (judged {judged})", title_justify="left", title_style="bold", box=SIMPLE_HEAD)
    table.add_column("", min_width=20)
    table.add_column("n", justify="right")
    for cell in cells:
        table.add_column(cell.variant.value, justify="right", min_width=7)
    for axis in Axis:
        if rates := [cell.axes.get(axis) for cell in cells if axis in cell.axes]:
            table.add_row(axis.heading, _total(rates), *(_coloured(cell.axes.get(axis)) for cell in cells))
    table.add_section()
    table.add_row(
        "Replies left alone",
        _total([cell.left_alone for cell in cells]),
        *(Text(percent(cell.left_alone)) for cell in cells),
    )
    for outcome in (TurnOutcome.REPAIRED, TurnOutcome.FALLBACK):
        table.add_row(f"Replies {outcome.value}", "", *(str(cell.outcomes.get(outcome, 0)) for cell in cells))
    table.add_row(
        "Gate objects to",
        _total([cell.gate_says for cell in cells]),
        *(Text(percent(cell.gate_says)) for cell in cells),
    )
    if any(cell.unanswered for cell in cells):
        table.add_row("Talks unanswered", "", *(str(cell.unanswered) for cell in cells))
    return table


def _total(rates: Sequence[Rate | None]) -> str:
    """Return how many were counted in each variant; a stopped run may have counted more in one than in another."""
    totals = sorted({rate.total for rate in rates if rate is not None})
    return "–".join(dict.fromkeys(map(str, (totals[0], totals[-1]))))


def _coloured(rate: Rate | None) -> Text:
    if rate is None:
        return Text("")
    style = "green" if rate.share >= _GOOD else "yellow" if rate.share >= _FAIR else "red"
    return Text(percent(rate), style=style)
