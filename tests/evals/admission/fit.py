"""Fit the second opinion of the admission of candidates, measure it, write it.

python -m tests.evals.admission.fit --cross      folds by group: to tune by
python -m tests.evals.admission.fit --last       the shipped weights on the last lines, which nothing was tuned by
python -m tests.evals.admission.fit --write      fitted on every line, written to core/proactive/opinion/layer.npz
"""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from core.embedding.encoder import SentenceEncoder
from core.proactive.admission import examine
from core.proactive.opinion.layer import LANDMARK_SCALE, Layer
from core.proactive.opinion.opinion import SecondOpinion, objection
from core.proactive.types import Grounding
from tests.evals.admission.lines import Line, load_last, load_lines
from tests.evals.admission.training import Table, fit_layer, rounded, tabulate

FOLDS = 8
TARGET = Path(__file__).parents[3] / "core/proactive/opinion/layer.npz"
WRONGLY = {"words": 0.0075, "both": 0.025}
"""How many of the admissible neutral lines may be refused in the folds: shares, by limit."""
_MEANT = frozenset({"cases", "voices", "hinata"})
"""Sources of lines that were written to be said first; the limits are set by these."""

Scores = dict[str, list[float]]
"""For each half how much speaks against each line."""


def scores(layer: Layer, table: Table) -> Scores:
    """Judge every line, by words alone and with its vector."""
    by = {
        "words": [layer.by_words(row) for row in table.pieces],
        "both": [
            layer.with_vector(row, vector.tolist()) for row, vector in zip(table.pieces, table.vectors, strict=True)
        ],
    }
    return {half: list(map(objection, rows)) for half, rows in by.items()}


def cross(table: Table) -> Scores:
    """Judge every line with weights that its group had no part in."""
    groups = sorted({line.group for line in table.lines})
    folds = dict(zip(groups, np.random.default_rng(1).permutation(len(groups)) % FOLDS, strict=True))
    numbers = np.array([folds[line.group] for line in table.lines])
    result: Scores = {name: [0.0] * len(table.lines) for name in WRONGLY}
    for fold in range(FOLDS):
        held = np.flatnonzero(numbers == fold)
        layer = rounded(fit_layer(table.only(np.flatnonzero(numbers != fold))))
        for name, values in scores(layer, table.only(held)).items():
            for row, value in zip(held, values, strict=True):
                result[name][row] = value
    return result


def limits(table: Table, crossed: Scores) -> dict[str, float]:
    """Return from which score on a text is refused, so that few of the admissible lines are."""
    found = {}
    for name, share in WRONGLY.items():
        good = sorted(
            (
                crossed[name][row]
                for row, line in enumerate(table.lines)
                if line.admissible and line.kind == Grounding.NEUTRAL.value and line.source in _MEANT
            ),
            reverse=True,
        )
        found[name] = round(good[int(share * len(good))], 4)
    return found


def report(lines: Sequence[Line], refused: Callable[[int], bool], title: str) -> None:
    """Print how many were refused of those that should be and of those that should not."""
    for source in sorted({line.source for line in lines}):
        for kind in Grounding:
            for language in ("ja", "en"):
                told = {}
                for admissible in (False, True):
                    rows = [
                        row
                        for row, line in enumerate(lines)
                        if (line.source, line.kind, line.language, line.admissible)
                        == (source, kind.value, language, admissible)
                    ]
                    told[admissible] = f"{sum(map(refused, rows)):4} of {len(rows):4}"
                sys.stdout.write(
                    f"{title:22} {source:7} {kind.value:8} {language}  claims {told[False]}  good {told[True]}\n"
                )


def report_cross(table: Table) -> None:
    """Print the figures of the folds: rules alone, the second opinion alone, both."""
    crossed = cross(table)
    bounds = limits(table, crossed)
    ruled = [bool(examine(line.text, Grounding(line.kind))) for line in table.lines]

    def learned(row: int, halves: tuple[str, ...]) -> bool:
        neutral = table.lines[row].kind == Grounding.NEUTRAL.value
        return neutral and any(crossed[half][row] > bounds[half] for half in halves)

    sys.stdout.write(f"limits {bounds}\n")
    report(table.lines, lambda row: ruled[row], "rules")
    report(table.lines, lambda row: ruled[row] or learned(row, ("words",)), "rules, words")
    report(table.lines, lambda row: learned(row, ("words", "both")), "learned")
    report(table.lines, lambda row: ruled[row] or learned(row, ("words", "both")), "rules, learned")


def report_last() -> None:
    """Print the figures of the last lines, judged by what is shipped."""
    lines = load_last()
    for title, opinion in (
        ("rules", None),
        ("rules, words", SecondOpinion()),
        ("rules, learned", SecondOpinion(encoder=SentenceEncoder())),
    ):
        refused = [bool(examine(line.text, Grounding(line.kind), opinion=opinion)) for line in lines]
        report(lines, refused.__getitem__, title)


def write(layer: Layer, target: Path) -> None:
    """Write the weights in half precision, with what they were fitted for."""
    np.savez_compressed(
        target,
        about=np.array(json.dumps({"encoder": layer.encoder, "limits": layer.limits})),
        words=layer.words.astype(np.float16),
        both=layer.both.astype(np.float16),
        landmarks=np.round(layer.landmarks / LANDMARK_SCALE).astype(np.int8),
    )


def main() -> None:
    """Run what the options ask for."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("cross", "last", "write"):
        options.add_argument(f"--{name}", action="store_true")
    chosen = options.parse_args()
    if chosen.cross or chosen.write:
        table = tabulate(load_lines())
        if chosen.cross:
            report_cross(table)
        if chosen.write:
            write(replace(fit_layer(table), limits=limits(table, cross(table))), TARGET)
            sys.stdout.write(f"wrote {TARGET.name}, {TARGET.stat().st_size:,} bytes\n")
    if chosen.last:
        report_last()


if __name__ == "__main__":
    main()
