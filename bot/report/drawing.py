"""Pictures of a report: where everything stands on them. Colours and words are the page's."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from bot.interest_chart import movement
from bot.usage_chart import round_up, short
from core.ports import UsageSum
from core.social.types import Interest

LEFT, TOP, WIDTH, HEIGHT = 56, 16, 860, 190
"""The field that is drawn into, in units of the picture."""

_GAP = 0.2
_LINES = 4


@dataclass(frozen=True, slots=True)
class Line:
    """A line across the field, with what is written beside it."""

    y: float
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A day: tokens read stand below, those written on top of them."""

    day: date
    x: float
    width: float
    read_top: float
    read: float
    written_top: float
    written: float
    sum: UsageSum


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """A month of days."""

    columns: Sequence[Column]
    lines: Sequence[Line]


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """An interest: where it stands on the picture by its likeness to the present one, and to the one before it."""

    at: datetime
    x: float
    now_y: float
    before_y: float
    to_now: float
    to_before: float | None
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """How an interest moved, oldest first. `path` is the line through its likenesses to the present one."""

    points: Sequence[Point]
    lines: Sequence[Line]
    path: str


def columns(days: Sequence[UsageSum]) -> Columns:
    """Return the columns of days in their order."""
    most = round_up(max((one.tokens for one in days), default=0))
    step = WIDTH / max(1, len(days))
    return Columns(
        columns=[_column(one, LEFT + index * step, step, HEIGHT / most) for index, one in enumerate(days)],
        lines=[Line(TOP + HEIGHT * (1 - part / _LINES), short(most * part // _LINES)) for part in range(_LINES + 1)],
    )


def course(interests: Sequence[Interest]) -> Course:
    """Return how at least one interest moved, from the oldest on."""
    moved = movement([one.features for one in interests])
    floor = 0.0 if min(*moved.to_now, *moved.to_before, 0.0) >= 0 else -1.0
    moments = [one.at for one in interests]
    points = [
        Point(
            at=one.at,
            x=_across(one.at, moments),
            now_y=_height(to_now, floor),
            before_y=_height(to_before, floor),
            to_now=to_now,
            to_before=to_before if index else None,
            tags=one.tags,
        )
        for index, (one, to_now, to_before) in enumerate(zip(interests, moved.to_now, moved.to_before, strict=True))
    ]
    values = [floor + (1 - floor) * part / _LINES for part in range(_LINES + 1)]
    return Course(
        points=points,
        lines=[Line(_height(value, floor), f"{value:.2f}") for value in values],
        path=" ".join(f"{point.x:.1f},{point.now_y:.1f}" for point in points),
    )


def _column(one: UsageSum, x: float, step: float, scale: float) -> Column:
    read, written = one.input_tokens * scale, one.output_tokens * scale
    bottom = TOP + HEIGHT
    return Column(
        day=one.name if isinstance(one.name, date) else date.min,
        x=x + step * _GAP / 2,
        width=step * (1 - _GAP),
        read_top=bottom - read,
        read=read,
        written_top=bottom - read - written,
        written=written,
        sum=one,
    )


def _across(moment: datetime, moments: Sequence[datetime]) -> float:
    whole = (moments[-1] - moments[0]).total_seconds()
    return LEFT + (WIDTH if whole == 0 else WIDTH * (moment - moments[0]).total_seconds() / whole)


def _height(value: float, floor: float) -> float:
    return TOP + HEIGHT * (1 - (value - floor) / (1 - floor))
