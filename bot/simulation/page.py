"""The page of a simulation: one HTML file that needs nothing else."""

from collections.abc import Mapping
from datetime import date

from babel.dates import format_date

from bot.pages.wording import Wording
from bot.simulation import drawing
from bot.simulation.days import telling_day, totals
from bot.simulation.lines import reason
from bot.simulation.report import Outcome
from core.characters.pack import ProactivePolicy
from core.proactive.types import SlotRecord
from core.values import Locale

_TEMPLATE = "simulation/page.html"
_DATES = {Locale.EN: "en_GB", Locale.JA: "ja_JP"}


def render(outcome: Outcome, policy: ProactivePolicy, wording: Wording) -> str:
    """Return the page."""
    words, day, together = _words(outcome, wording), telling_day(outcome), totals(outcome)
    return wording.fill(
        _TEMPLATE,
        plan=outcome.plan,
        report=outcome.as_json(),
        skipped=sum(outcome.skipped().values()),
        violations=outcome.violations,
        day=day,
        date=_date(day.day, wording) if day else "",
        rows=drawing.rows(day, policy, wording) if day else [],
        marks=drawing.marks(day, words) if day else [],
        columns=drawing.columns(together),
        bars=drawing.bars(together, words),
        left=drawing.LEFT,
        width=drawing.WIDTH,
    )


def _date(day: date, wording: Wording) -> str:
    return format_date(day, "full", locale=_DATES[wording.locale])


def _words(outcome: Outcome, wording: Wording) -> Mapping[str, str]:
    """Return every outcome in the words that `/proactive why` has for it."""
    return {record.outcome: _in_words(record, wording) for record in outcome.records}


def _in_words(record: SlotRecord, wording: Wording) -> str:
    state = wording.messages.text(f"proactive.state.{record.state}", wording.locale)
    if record.reason is None:
        return state
    return wording("outcome", state=state, reason=reason(record.reason, wording))
