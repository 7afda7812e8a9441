"""A run as tables in the terminal: one for each model, an axis a line, a variant a column."""

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bot.evaluation.report import Report
from bot.pages.wording import Wording
from core.rates import Rate
from core.stance.evaluation.axes import Axis
from core.stance.evaluation.figures import Cell
from core.turn.trace import TurnOutcome

_GOOD, _FAIR = 0.9, 0.6


def show(report: Report, console: Console, wording: Wording) -> None:
    """Print the tables, and what they mean."""
    for model in report.models:
        cells = [cell for cell in report.cells if cell.model == model]
        console.print(_table(model, cells, wording, scripted=model in report.scripted))
    console.print(wording("table.about"))
    if not report.complete:
        console.print(wording("table.stopped", held=len(report.talks), planned=report.planned), style="bold")


def _rate(rate: Rate, wording: Wording) -> str:
    """Return a rate as `94 %` and, on a second line, `83–98`: four variants fit into 80 columns."""
    low, high = (f"{bound * 100:.0f}" for bound in rate.interval)
    return f"{wording.share(rate)}\n{wording('table.interval', low=low, high=high)}"


def _table(model: str, cells: list[Cell], wording: Wording, *, scripted: bool) -> Table:
    title = wording("table.title", model=model, judged=wording("judged.scripted" if scripted else "judged.checks"))
    table = Table(title=title, title_justify="left", title_style="bold", box=SIMPLE_HEAD)
    table.add_column("", min_width=20)
    table.add_column("n", justify="right")
    for cell in cells:
        table.add_column(cell.variant.value, justify="right", min_width=7)
    for axis in Axis:
        if rates := [cell.axes.get(axis) for cell in cells if axis in cell.axes]:
            table.add_row(
                wording(f"axis.{axis}.heading"),
                _total(rates),
                *(_coloured(cell.axes.get(axis), wording) for cell in cells),
            )
    table.add_section()
    table.add_row(
        wording("replies.answered"),
        _total([cell.left_alone for cell in cells]),
        *(Text(_rate(cell.left_alone, wording)) for cell in cells),
    )
    for outcome in (TurnOutcome.REPAIRED, TurnOutcome.FALLBACK):
        table.add_row(wording(f"replies.{outcome}"), "", *(str(cell.outcomes.get(outcome, 0)) for cell in cells))
    table.add_row(
        wording("replies.gate_says"),
        _total([cell.gate_says for cell in cells]),
        *(Text(_rate(cell.gate_says, wording)) for cell in cells),
    )
    if any(cell.unanswered for cell in cells):
        table.add_row(wording("unanswered"), "", *(str(cell.unanswered) for cell in cells))
    return table


def _total(rates: Sequence[Rate | None]) -> str:
    """Return how many were counted in each variant; a stopped run may have counted more in one than in another."""
    totals = sorted({rate.total for rate in rates if rate is not None})
    return "–".join(dict.fromkeys(map(str, (totals[0], totals[-1]))))


def _coloured(rate: Rate | None, wording: Wording) -> Text:
    if rate is None:
        return Text("")
    style = "green" if rate.share >= _GOOD else "yellow" if rate.share >= _FAIR else "red"
    return Text(_rate(rate, wording), style=style)
