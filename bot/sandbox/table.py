"""A comparison as a table in the terminal: a variant a row, then what each of them said."""

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bot.pages.wording import Wording
from bot.sandbox.report import Figures, figures
from core.rates import Rate
from core.sandbox.records import Attempt, Comparison, Sample


def show(comparison: Comparison, console: Console, wording: Wording) -> None:
    """Print the table and the first sample of each variant."""
    found = figures(comparison)
    console.print(_table(comparison, found, wording))
    for one in found:
        for sample in comparison.of(one.variant.name)[:1]:
            _say(one.variant.name, sample, console, wording)
    spent = comparison.spent
    console.print(
        wording("table.spent", answers=spent.answers, tokens=spent.tokens, seconds=f"{spent.seconds:.1f}"),
        wording("table.about"),
        hashes(comparison, wording),
        sep="\n",
    )
    if comparison.stopped is not None:
        console.print(stop_line(comparison, wording), style="bold")


def stop_line(comparison: Comparison, wording: Wording) -> str:
    """Return why a comparison that was stopped ended early, and how far it came."""
    why = wording(f"stopped.{comparison.stopped}")
    return wording("result.stop", why=why, made=len(comparison.samples), planned=comparison.planned)


def hashes(comparison: Comparison, wording: Wording) -> str:
    """Return what tells this draft and this snapshot from all others."""
    draft, snapshot = comparison.draft.digest[:12], comparison.snapshot_digest[:12]
    return wording("result.hashes", draft=draft, snapshot=snapshot)


def _rate(found: Rate, wording: Wording) -> str:
    """Return a rate as `3/4  75 %` and, on a second line, `30 to 95 %`."""
    if not found.total:
        return wording("result.unanswered")
    return f"{found.count}/{found.total}  {wording.share(found)}\n{wording.interval(found)}"


def _table(comparison: Comparison, found: list[Figures], wording: Wording) -> Table:
    table = Table(title=comparison.draft.title, title_justify="left", title_style="bold", box=SIMPLE_HEAD)
    table.add_column(wording("result.variant"), min_width=13, no_wrap=True)
    expects = comparison.draft.expect.must_not or comparison.draft.expect.must_any
    for heading in ("passed", *(("good",) if expects else ()), "tokens", "time"):
        table.add_column(wording(f"table.head.{heading}"), justify="right")
    table.add_column(wording("table.head.difference"))
    for one in found:
        cells = [_coloured(one.passed, wording), *((_coloured(one.good, wording),) if expects else ())]
        table.add_row(
            Text(f"{one.variant.name}\n{one.variant.facts}"),
            *cells,
            f"{one.input_tokens} + {one.output_tokens}",
            wording("result.seconds", seconds=f"{one.milliseconds / 1000:.1f}"),
            _against(one, wording),
        )
    return table


def _against(one: Figures, wording: Wording) -> str:
    if one.against is None:
        return ""
    verdict = wording("result.decided" if one.is_decided else "result.undecided")
    return f"{wording.difference(one.against)}\n{verdict}"


def _coloured(found: Rate, wording: Wording) -> Text:
    style = "" if not found.total else "green" if found.share == 1 else "yellow" if found.count else "red"
    return Text(_rate(found, wording), style=style)


def _say(name: str, sample: Sample, console: Console, wording: Wording) -> None:
    for turn in sample.turns:
        console.print(Text.assemble((f"{name}  ", "bold"), wording.outcome(turn.outcome)))
        for attempt in turn.attempts:
            console.print(_attempt(attempt, wording))
        if turn.delivered is not None and turn.delivered not in {attempt.text for attempt in turn.attempts}:
            console.print(Text(f"  {wording('table.instead', text=turn.delivered)}"))
    console.print()


def _attempt(attempt: Attempt, wording: Wording) -> Text:
    if attempt.failure is not None:
        why = wording("result.failed", why=wording.reason(attempt.failure))
        return Text(f"  {why}", style="red")
    verdict = wording.listed(attempt.rules) or wording("table.passed")
    return Text.assemble("  ", (f"[{verdict}]", "green" if attempt.passed else "red"), f" {attempt.text}")
