"""A report as one self-contained page; nothing is fetched, nothing runs."""

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from importlib.resources import files
from zoneinfo import ZoneInfo

from markupsafe import Markup

from bot.pages.filling import fill, percent
from bot.report import drawing
from bot.report.contents import OCCASIONS_DAYS, CharacterPart, Contents
from bot.report.sandbox_results import Variant
from core.ports import UsageSum
from core.proactive.types import SlotRecord
from core.rates import Rate
from core.stance.policy import GateOutcome
from core.values import Locale
from prompts.messages import Messages

_TEMPLATE = "report/page.html.j2"
_STYLES = ("pages/look.css", "report/page.css")
_MICROS = 1_000_000
_GUILDS = 25


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an occasion ended, in words; no reason where a message was sent."""

    state: str
    reason: str | None


def render(contents: Contents, messages: Messages, locale: Locale) -> str:
    """Return the page in a language."""
    words, usage = _Words(messages, locale, ZoneInfo(contents.operator.zone)), contents.usage
    style = "".join((files("bot") / name).read_text("utf-8") for name in _STYLES)
    return fill(
        _TEMPLATE,
        locale=locale.value,
        # Our own files, whose hash is all that the page lets be applied; everything else is escaped.
        style=Markup(style),  # noqa: S704
        style_hash=_hash(style),
        it=contents,
        t=words.text,
        zone=contents.operator.zone,
        currency=contents.operator.currency,
        moment=words.moment,
        read=words.read,
        day=words.day,
        number=lambda number: f"{number:,}",
        cost=lambda one: f"{one.cost_micros / _MICROS:,.4f}",
        people=sum(1 for one in usage.by_user or () if one.name),
        most=max(usage.by_day, key=lambda one: one.tokens),
        usage=drawing.columns(usage.by_day),
        days=[(str(one.name), one) for one in usage.by_day],
        features=[(words.feature(str(one.name)), one) for one in usage.by_feature],
        models=[(one.name, one) for one in usage.by_model],
        guilds=_guilds(contents.by_guild, words),
        occasions_days=OCCASIONS_DAYS,
        outcomes=partial(_outcomes, words),
        in_words=lambda record: words.outcome(record.outcome),
        grounding=words.grounding,
        courses=[(one.name, drawing.course(one.interests)) for one in contents.characters if one.interests],
        gates=[gate.value for gate in GateOutcome],
        broken_gates=[GateOutcome.REPAIR.value, GateOutcome.FALLBACK.value],
        gate_name=lambda gate: messages.text(f"stance.trace.outcome.{gate}", locale),
        rules=_rules,
        rate=words.rate,
        against=_against,
        left=drawing.LEFT,
        top=drawing.TOP,
        width=drawing.WIDTH,
        height=drawing.HEIGHT,
    )


class _Words:
    def __init__(self, messages: Messages, locale: Locale, zone: ZoneInfo) -> None:
        self._messages = messages
        self._locale = locale
        self._zone = zone

    def text(self, key: str, **values: object) -> str:
        return self._messages.text(f"report.{key}", self._locale, **values)

    def moment(self, at: datetime) -> str:
        return f"{at.astimezone(self._zone):%Y-%m-%d %H:%M}"

    def read(self, at: str | None) -> str:
        """Return a moment of the status file."""
        return self.text("status.never") if at is None else self.moment(datetime.fromisoformat(at))

    def day(self, at: datetime) -> str:
        return f"{at.astimezone(self._zone):%Y-%m-%d}"

    def feature(self, feature: str) -> str:
        key = f"usage.feature.{feature}"
        return self._messages.text(key, self._locale) if key in self._messages.keys() else feature  # noqa: SIM118

    def outcome(self, outcome: str) -> Outcome:
        state, _, reason = outcome.partition(":")
        return Outcome(
            self._messages.text(f"proactive.state.{state}", self._locale),
            self._messages.text(f"proactive.reason.{reason}", self._locale) if reason else None,
        )

    def grounding(self, record: SlotRecord) -> str:
        return self._messages.text(f"proactive.grounding.{record.grounding or 'neutral'}", self._locale)

    def rate(self, rate: Rate) -> str:
        if not rate.total:
            return "–"
        low, high = rate.interval
        return self.text(
            "sandbox.rate",
            share=percent(rate),
            count=rate.count,
            total=rate.total,
            low=f"{low * 100:.0f}",
            high=f"{high * 100:.0f}",
        )


def _hash(style: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()}"


def _guilds(sums: Sequence[UsageSum], words: _Words) -> list[tuple[str, UsageSum]]:
    """Return the servers that used most, by their ids."""
    return [(words.text("usage.private") if one.name is None else str(one.name), one) for one in sums[:_GUILDS]]


def _outcomes(words: _Words, one: CharacterPart) -> list[tuple[Outcome, int]]:
    ordered = sorted(one.outcomes.items(), key=lambda pair: (-pair[1], pair[0]))
    return [(words.outcome(outcome), count) for outcome, count in ordered]


def _rules(one: CharacterPart) -> list[tuple[str, int]]:
    """Return every rule that was broken or let pass, with the turns in which it was broken, the most first."""
    every = dict.fromkeys([*one.stance.broken, *one.stance.let_pass])
    return sorted(((rule, one.stance.broken.get(rule, 0)) for rule in every), key=lambda pair: (-pair[1], pair[0]))


def _against(variant: Variant) -> str:
    if variant.against_first is None:
        return "–"
    low, high = (f"{bound * 100:+.0f}".replace("-", "−") for bound in variant.against_first)
    return f"{low} … {high}"
