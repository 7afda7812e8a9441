"""A comparison as a table in the terminal: a variant a row, then what each of them said."""

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bot.sandbox.report import Figures, figures
from core.rates import Rate
from core.sandbox.records import Comparison, Sample, Stopped

_STOPS = {
    Stopped.CANCELLED: "Cancelled",
    Stopped.ANSWERS: "Stopped: the budget of answers is used up",
    Stopped.TOKENS: "Stopped: the budget of tokens is used up",
    Stopped.SECONDS: "Stopped: the time is up",
    Stopped.MONEY: "Stopped: the budget of money is used up",
}


def show(comparison: Comparison, console: Console) -> None:
    """Print the table and the first sample of each variant."""
    found = figures(comparison)
    console.print(_table(comparison, found))
    for one in found:
        for sample in comparison.of(one.variant.name)[:1]:
            _say(one.variant.name, sample, console)
    spent = comparison.spent
    console.print(
        f"{spent.answers} answers, {spent.tokens} tokens, {spent.seconds:.1f} s.\n"
        "Shares with 95 % Wilson intervals; differences to the first variant, in points.\n"
        f"Draft {comparison.draft.digest[:12]}, snapshot {comparison.snapshot_digest[:12]}."
    )
    if comparison.stopped is not None:
        console.print(stop_line(comparison), style="bold")


def stop_line(comparison: Comparison) -> str:
    """Return why a comparison ended early, and how far it came."""
    why = _STOPS[comparison.stopped] if comparison.stopped is not None else "Done"
    return f"{why}. {len(comparison.samples)} of {comparison.planned} samples were made."


def percent(found: Rate) -> str:
    """Return a rate as `3/4  75 %` and, on a second line, `30 to 95 %`."""
    if not found.total:
        return "none"
    low, high = found.interval
    return f"{found.count}/{found.total}  {found.share * 100:.0f} %\n{low * 100:.0f} to {high * 100:.0f} %"


def _table(comparison: Comparison, found: list[Figures]) -> Table:
    table = Table(title=comparison.draft.title, title_justify="left", title_style="bold", box=SIMPLE_HEAD)
    table.add_column("Variant", min_width=13, no_wrap=True)
    expects = comparison.draft.expect.must_not or comparison.draft.expect.must_any
    for heading in (
        "Passed at once",
        *(("as expected",) if expects else ()),
        "Tokens",
        "Time",
        "Difference",
    ):
        table.add_column(heading, justify="left" if heading == "Difference" else "right")
    for one in found:
        cells = [_coloured(one.passed), *((_coloured(one.good),) if expects else ())]
        table.add_row(
            Text(f"{one.variant.name}\n{one.variant.facts}"),
            *cells,
            f"{one.input_tokens} + {one.output_tokens}",
            f"{one.milliseconds / 1000:.1f} s",
            _against(one),
        )
    return table


def _against(one: Figures) -> str:
    if one.against is None:
        return ""
    low, high = (f"{bound * 100:+.0f}".replace("-", "−") for bound in one.against)
    verdict = "a difference" if one.is_decided else "not decided"
    return f"{low} to {high}\n{verdict}"


def _coloured(found: Rate) -> Text:
    style = "" if not found.total else "green" if found.share == 1 else "yellow" if found.count else "red"
    return Text(percent(found), style=style)


def _say(name: str, sample: Sample, console: Console) -> None:
    for turn in sample.turns:
        console.print(Text.assemble((f"{name}  ", "bold"), f"{turn.outcome}"))
        for attempt in turn.attempts:
            if attempt.failure is not None:
                console.print(Text(f"  no answer: {attempt.failure}", style="red"))
                continue
            verdict = ", ".join(attempt.rules) or "passed"
            console.print(
                Text.assemble("  ", (f"[{verdict}]", "green" if attempt.passed else "red"), f" {attempt.text}")
            )
        if turn.delivered is not None and turn.delivered not in {attempt.text for attempt in turn.attempts}:
            console.print(Text(f"  sent instead: {turn.delivered}"))
    console.print()
