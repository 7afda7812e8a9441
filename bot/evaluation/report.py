"""A run as plain data: what `--json` writes and what the page is made of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from core.rates import Rate
from core.stance.evaluation.axes import Axis, Category
from core.stance.evaluation.figures import Cell, tabulate
from core.stance.evaluation.records import TalkRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The figures and the talks of a run. `scripted` are the models whose texts are labelled by hand."""

    at: datetime
    character: str
    complete: bool
    planned: int
    scripted: frozenset[str]
    talks: tuple[TalkRecord, ...]
    cells: tuple[Cell, ...]

    @classmethod
    def of(
        cls,
        talks: Sequence[TalkRecord],
        *,
        at: datetime,
        character: str,
        complete: bool,
        planned: int,
        scripted: frozenset[str],
    ) -> "Report":
        """Return the report on talks."""
        return cls(
            at=at,
            character=character,
            complete=complete,
            planned=planned,
            scripted=scripted,
            talks=tuple(talks),
            cells=tabulate(talks),
        )

    @property
    def models(self) -> tuple[str, ...]:
        """The models, in the order of the run."""
        return tuple(dict.fromkeys(cell.model for cell in self.cells))


def as_json(report: Report) -> dict[str, Any]:
    """Return the figures, without the transcripts."""
    return {
        "at": report.at.isoformat(timespec="seconds"),
        "character": report.character,
        "complete": report.complete,
        "talks": {"planned": report.planned, "held": len(report.talks)},
        "cells": [_cell(cell, scripted=cell.model in report.scripted) for cell in report.cells],
    }


def _cell(cell: Cell, *, scripted: bool) -> dict[str, Any]:
    return {
        "model": cell.model,
        "judged_by": "labels and written checks" if scripted else "written checks",
        "variant": cell.variant.value,
        "axes": _axes(cell.axes),
        "by_category": {category.value: _axes(axes) for category, axes in cell.by_category.items()},
        "by_language": {locale.value: _axes(axes) for locale, axes in cell.by_locale.items()},
        "outcomes": {outcome.value: count for outcome, count in cell.outcomes.items()},
        "left_alone": rate(cell.left_alone),
        "gate_objects_to_delivered": rate(cell.gate_says),
        "talks_unanswered": cell.unanswered,
    }


def _axes(axes: Mapping[Axis, Rate]) -> dict[str, Any]:
    return {axis.value: rate(found) for axis, found in axes.items()}


def rate(found: Rate) -> dict[str, Any]:
    """Return a rate with its 95 % interval."""
    low, high = found.interval
    return {
        "count": found.count,
        "total": found.total,
        "share": round(found.share, 4),
        "low": round(low, 4),
        "high": round(high, 4),
    }


def categories(report: Report) -> tuple[Category, ...]:
    """Return the categories of the run, in the order of the seed."""
    present = {talk.fixture.category for talk in report.talks}
    return tuple(category for category in Category if category in present)
