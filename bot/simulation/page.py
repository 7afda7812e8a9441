"""The page of a simulation: one HTML file that needs nothing else."""

from collections.abc import Mapping

from bot.pages.filling import fill
from bot.simulation import drawing
from bot.simulation.days import telling_day, totals
from bot.simulation.report import Outcome
from core.characters.pack import ProactivePolicy
from core.proactive.types import SlotRecord
from core.values import Locale
from prompts.messages import Messages

_TEMPLATE = "simulation/page.html"


def render(outcome: Outcome, policy: ProactivePolicy, messages: Messages) -> str:
    """Return the page."""
    words, day, together = _words(outcome, messages), telling_day(outcome), totals(outcome)
    return fill(
        _TEMPLATE,
        plan=outcome.plan,
        report=outcome.as_json(),
        skipped=sum(outcome.skipped().values()),
        violations=outcome.violations,
        day=day,
        rows=drawing.rows(day, policy) if day else [],
        marks=drawing.marks(day, words) if day else [],
        columns=drawing.columns(together),
        bars=drawing.bars(together, words),
        left=drawing.LEFT,
        width=drawing.WIDTH,
    )


def _words(outcome: Outcome, messages: Messages) -> Mapping[str, str]:
    """Return every outcome in the words that `/proactive why` has for it."""
    return {record.outcome: _in_words(record, messages) for record in outcome.records}


def _in_words(record: SlotRecord, messages: Messages) -> str:
    state = messages.text(f"proactive.state.{record.state.value}", Locale.EN)
    if record.reason is None:
        return state
    return f"{state}: {messages.text(f'proactive.reason.{record.reason.value}', Locale.EN)}"
