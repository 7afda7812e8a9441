"""Pictures of a simulation: where everything stands on them. Colours and words are the page's."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import time

from bot.pages.wording import Wording
from bot.simulation.days import HOURS, Day, Totals
from core.characters.pack import ProactivePolicy, TimeRange
from core.proactive.types import SlotState

LEFT, WIDTH = 190, 720
"""Where the axis of a day begins, and how wide a day is, in units of the picture."""

_MINUTES = HOURS * 60
_BAR = 150
_LABEL = 48


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a row: from `x` on, so wide; `words` say which times it is."""

    x: float
    width: float
    words: str


@dataclass(frozen=True, slots=True)
class Row:
    """A row of parts of a day. `look` is the kind of its parts: `window` or `quiet`."""

    name: str
    look: str
    spans: Sequence[Span]


@dataclass(frozen=True, slots=True)
class Mark:
    """An occasion: where its moment stands, the time in words, whether it was sent, and its outcome in words.

    `level`: 1 where the words would run into those of the one before, else 0.
    """

    x: float
    level: int
    at: str
    sent: bool
    words: str


@dataclass(frozen=True, slots=True)
class Column:
    """An hour: the heights of what was sent and what wasn't, and both counts."""

    x: float
    hour: str
    sent: int
    not_sent: int
    sent_height: float
    not_sent_height: float


@dataclass(frozen=True, slots=True)
class Bar:
    """An outcome with its count, and how long its bar is (0 to 100)."""

    words: str
    sent: bool
    count: int
    length: float


def rows(day: Day, policy: ProactivePolicy, wording: Wording) -> list[Row]:
    """Return the rows above the occasions: whose windows and quiet hours there are."""
    drawn = [
        Row(wording("row.character_windows"), "window", _spans(policy.windows)),
        Row(wording("row.character_quiet"), "quiet", _spans([policy.quiet_hours])),
    ]
    if day.chosen.windows is not None:
        drawn.append(Row(wording("row.person_windows"), "window", _spans(day.chosen.windows)))
    if day.chosen.quiet is not None:
        drawn.append(Row(wording("row.person_quiet"), "quiet", _spans([day.chosen.quiet])))
    return drawn


def marks(day: Day, words: Mapping[str, str]) -> list[Mark]:
    """Return the occasions; `words` has every outcome in words."""
    drawn: list[Mark] = []
    for record in day.records:
        local = record.due_at.astimezone(day.zone)
        x, before = _x(local.hour * 60 + local.minute), drawn[-1] if drawn else None
        level = 1 if before is not None and before.level == 0 and x - before.x < _LABEL else 0
        drawn.append(Mark(x, level, f"{local:%H:%M}", record.state is SlotState.SENT, words[record.outcome]))
    return drawn


def columns(totals: Totals) -> list[Column]:
    """Return a column for each hour of the day."""
    most = max((a + b for a, b in zip(totals.sent, totals.not_sent, strict=True)), default=0) or 1
    return [
        Column(
            x=_x(hour * 60),
            hour=f"{hour:02}",
            sent=totals.sent[hour],
            not_sent=totals.not_sent[hour],
            sent_height=_BAR * totals.sent[hour] / most,
            not_sent_height=_BAR * totals.not_sent[hour] / most,
        )
        for hour in range(HOURS)
    ]


def bars(totals: Totals, words: Mapping[str, str]) -> list[Bar]:
    """Return a bar for each outcome, longest first."""
    most = max((count for _, count in totals.outcomes), default=1)
    return [
        Bar(words=words[outcome], sent=outcome == SlotState.SENT, count=count, length=100 * count / most)
        for outcome, count in totals.outcomes
    ]


def _spans(ranges: Iterable[TimeRange]) -> list[Span]:
    return [span for hours in ranges for span in _parts(hours)]


def _parts(hours: TimeRange) -> Iterator[Span]:
    """Yield a range as one part of the day, or two where it goes over midnight."""
    words, start, end = f"{hours.start:%H:%M}-{hours.end:%H:%M}", _minute(hours.start), _minute(hours.end)
    pieces = [(start, end)] if start < end else [(0, end), (start, _MINUTES)]
    for begins, ends in pieces:
        if begins < ends:
            yield Span(_x(begins), _x(ends) - _x(begins), words)


def _x(minute: int) -> float:
    return round(LEFT + WIDTH * minute / _MINUTES, 1)


def _minute(at: time) -> int:
    return at.hour * 60 + at.minute
