"""How far the written checks agree with the labels by hand, over every scripted reply in every talk it can come up in.

python -m tests.evals.stance.calibration      a line for each language and axis
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass

from core.rates import Rate
from core.stance.evaluation.axes import Axis
from core.stance.evaluation.fixtures import Fixture
from core.stance.evaluation.judging import broken_by_checks
from core.stance.evaluation.loading import load_fixtures
from core.stance.evaluation.scripts import Kind, Scripts
from core.values import Locale
from data.evaluation import FOLDER


@dataclass(frozen=True, slots=True)
class Agreement:
    """`caught`: of the replies labelled as breaking the axis; `objected`: of the others."""

    caught: Rate
    objected: Rate


def agreements() -> dict[tuple[Locale, Axis], Agreement]:
    seen = list(_comparisons())
    judged = [axis for axis in Axis if axis is not Axis.RECOVERY]
    return {
        (locale, axis): Agreement(
            *(
                _rate([found for where, what, label, found in seen if (where, what, label) == (locale, axis, wanted)])
                for wanted in (True, False)
            )
        )
        for locale in Locale
        for axis in judged
    }


def _comparisons() -> Iterator[tuple[Locale, Axis, bool, bool]]:
    scripts = Scripts.load(FOLDER / "replies")
    for fixture in load_fixtures(FOLDER / "fixtures"):
        for kind in Kind:
            for line in scripts.of(kind, fixture):
                yield from _compared(fixture, line.filled(fixture.words).text, line.breaks)


def _compared(fixture: Fixture, text: str, breaks: frozenset[Axis]) -> Iterator[tuple[Locale, Axis, bool, bool]]:
    axes = [axis for axis in fixture.axes if axis is not Axis.RECOVERY]
    found = broken_by_checks(fixture.expectations, axes, text)
    for axis in axes:
        yield fixture.locale, axis, axis in breaks, axis in found


def _rate(found: list[bool]) -> Rate:
    return Rate(sum(found), len(found))


def main() -> None:
    for (locale, axis), agreement in agreements().items():
        caught, objected = agreement.caught, agreement.objected
        sys.stdout.write(
            f"{locale} {axis.value:34} caught {caught.count}/{caught.total} = {caught.share:.2f}"
            f"   objected {objected.count}/{objected.total} = {objected.share:.3f}\n"
        )


if __name__ == "__main__":
    main()
