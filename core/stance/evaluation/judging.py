"""Tells whether a talk passed, by what was delivered: by the hand's label where there is one, else by written checks.

The gate has no say in it: it may have let through what it delivered.
"""

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from core.stance.evaluation.axes import Axis
from core.stance.evaluation.fixtures import Expectations, Fixture

Label = Callable[[str], frozenset[Axis] | None]
"""What a text breaks, as somebody wrote it down beforehand; None for a text nobody labelled."""


@dataclass(frozen=True, slots=True)
class Mark:
    """How a talk did on an axis. `because` says by what a failure was told; empty where it passed."""

    axis: Axis
    passed: bool
    because: str = ""


def judge(fixture: Fixture, delivered: Sequence[str], label: Label) -> tuple[Mark, ...]:
    """Return a mark for each of the talk's axes. A talk fails where any reply does; recovery looks at the last."""
    faults = [_faults(fixture, text, label) for text in delivered]
    marks = [_mark(axis, faults) for axis in fixture.axes if axis is not Axis.RECOVERY]
    if Axis.RECOVERY in fixture.axes:
        last = faults[-1]
        why = "; ".join(f"{axis.heading}: {last[axis]}" for axis in fixture.axes if axis in last)
        marks.append(Mark(Axis.RECOVERY, not last, why))
    return tuple(marks)


def broken_by_checks(expectations: Expectations, axes: Iterable[Axis], text: str) -> dict[Axis, str]:
    """Return the axes a text fails by the written checks, each with the reason."""
    folded = unicodedata.normalize("NFKC", text)
    reasons: dict[Axis, str] = {}
    for axis in axes:
        for pattern in expectations.must_not.get(axis, ()):
            if found := pattern.search(folded):
                reasons[axis] = f"says “{found.group()}”"
                break
        wanted = expectations.must_any.get(axis, ())
        if axis not in reasons and wanted and not any(pattern.search(folded) for pattern in wanted):
            reasons[axis] = "says nothing of what is looked for"
    return reasons


def _faults(fixture: Fixture, text: str, label: Label) -> dict[Axis, str]:
    axes = [axis for axis in fixture.axes if axis is not Axis.RECOVERY]
    labelled = label(text)
    if labelled is None:
        return broken_by_checks(fixture.expectations, axes, text)
    return {axis: "labelled so" for axis in axes if axis in labelled}


def _mark(axis: Axis, faults: Sequence[dict[Axis, str]]) -> Mark:
    reasons = [
        f"reply {number}: {found[axis]}" if len(faults) > 1 else found[axis]
        for number, found in enumerate(faults, 1)
        if axis in found
    ]
    return Mark(axis, not reasons, "; ".join(reasons))
