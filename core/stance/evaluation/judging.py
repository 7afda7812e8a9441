"""Tells whether a talk passed, by what was delivered: by the hand's label where there is one, else by written checks.

The gate has no say in it: it may have let through what it delivered.
"""

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from core.stance.evaluation.axes import Axis
from core.stance.evaluation.fixtures import Expectations, Fixture

Label = Callable[[str], frozenset[Axis] | None]
"""What a text breaks, as somebody wrote it down beforehand; None for a text nobody labelled."""


class Told(StrEnum):
    """By what a fault was told: by the hand's label, by words that must not be there, or by words that are missing."""

    LABEL = "label"
    SAID = "said"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a reply on an axis. `said` are the words that must not be there.

    `reply` is its number, from 1; None where the talk is judged by one reply.
    """

    axis: Axis
    told: Told
    said: str = ""
    reply: int | None = None


@dataclass(frozen=True, slots=True)
class Mark:
    """How a talk did on an axis. `because` are the faults that failed it; empty where it passed."""

    axis: Axis
    passed: bool
    because: tuple[Fault, ...] = ()


def judge(fixture: Fixture, delivered: Sequence[str], label: Label) -> tuple[Mark, ...]:
    """Return a mark for each of the talk's axes. A talk fails where any reply does; recovery looks at the last."""
    faults = [_faults(fixture, text, label) for text in delivered]
    marks = [_mark(axis, faults) for axis in fixture.axes if axis is not Axis.RECOVERY]
    if Axis.RECOVERY in fixture.axes:
        last = faults[-1]
        marks.append(Mark(Axis.RECOVERY, not last, tuple(last[axis] for axis in fixture.axes if axis in last)))
    return tuple(marks)


def broken_by_checks(expectations: Expectations, axes: Iterable[Axis], text: str) -> dict[Axis, Fault]:
    """Return the axes a text fails by the written checks, each with what is wrong."""
    folded = unicodedata.normalize("NFKC", text)
    broken: dict[Axis, Fault] = {}
    for axis in axes:
        for pattern in expectations.must_not.get(axis, ()):
            if found := pattern.search(folded):
                broken[axis] = Fault(axis, Told.SAID, found.group())
                break
        wanted = expectations.must_any.get(axis, ())
        if axis not in broken and wanted and not any(pattern.search(folded) for pattern in wanted):
            broken[axis] = Fault(axis, Told.MISSING)
    return broken


def _faults(fixture: Fixture, text: str, label: Label) -> dict[Axis, Fault]:
    axes = [axis for axis in fixture.axes if axis is not Axis.RECOVERY]
    labelled = label(text)
    if labelled is None:
        return broken_by_checks(fixture.expectations, axes, text)
    return {axis: Fault(axis, Told.LABEL) for axis in axes if axis in labelled}


def _mark(axis: Axis, faults: Sequence[dict[Axis, Fault]]) -> Mark:
    because = tuple(
        replace(found[axis], reply=number) if len(faults) > 1 else found[axis]
        for number, found in enumerate(faults, 1)
        if axis in found
    )
    return Mark(axis, not because, because)
