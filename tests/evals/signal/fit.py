"""Fit the linear layer of the signal, measure it, write it.

python -m tests.evals.signal.fit --cross      five folds of the dev side: to tune by
python -m tests.evals.signal.fit --test       fitted on dev, measured on the test side
python -m tests.evals.signal.fit --write      fitted on every line, written to core/stance/signal/layer.npz
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from core.stance.signal.evidence import Evidence
from core.stance.signal.judgement import Context, Judgement
from core.stance.signal.layer import Layer
from core.stance.signal.reading import Reader
from core.stance.types import ReflectiveSupportSignal
from tests.evals.signal.lines import Line, load_lines
from tests.evals.signal.measure import MEASURES, measure
from tests.evals.signal.training import Table, fit_layer, tabulate

FOLDS = 5
TARGET = Path(__file__).parents[3] / "core/stance/signal/layer.npz"


def judge_rows(
    table: Table, layer: Layer, reader: Reader, rows: Sequence[int], *, vectors: bool
) -> list[ReflectiveSupportSignal]:
    """Judge rows of the table, with or without their sentence vectors."""
    judged = []
    for row in rows:
        reading = reader.read(table.lines[row].text)
        values = table.features[row].tolist()
        scores = layer.with_vector(values, table.vectors[row].tolist()) if vectors else layer.by_words(values)
        judged.append(Judgement().judge(reading, Evidence.gather(reading), scores, Context(), vectored=vectors))
    return judged


def cross(table: Table, reader: Reader, *, vectors: bool = True) -> list[tuple[Line, ReflectiveSupportSignal]]:
    """Judge every dev line with weights that its group had no part in."""
    rows = [row for row, line in enumerate(table.lines) if line.side == "dev"]
    groups = sorted({table.lines[row].group for row in rows})
    folds = dict(zip(groups, np.random.default_rng(0).permutation(len(groups)) % FOLDS, strict=True))
    pairs = []
    for fold in range(FOLDS):
        held = [row for row in rows if folds[table.lines[row].group] == fold]
        layer = fit_layer(table, [row for row in rows if folds[table.lines[row].group] != fold])
        judged = judge_rows(table, layer, reader, held, vectors=vectors)
        pairs += list(zip((table.lines[row] for row in held), judged, strict=True))
    return pairs


def on_test(table: Table, reader: Reader, *, vectors: bool = True) -> list[tuple[Line, ReflectiveSupportSignal]]:
    """Judge the test side with weights fitted on the dev side."""
    layer = fit_layer(table, [row for row, line in enumerate(table.lines) if line.side == "dev"])
    rows = [row for row, line in enumerate(table.lines) if line.side == "test"]
    judged = judge_rows(table, layer, reader, rows, vectors=vectors)
    return list(zip((table.lines[row] for row in rows), judged, strict=True))


def write(layer: Layer, target: Path) -> None:
    """Write the weights in half precision, with what they were fitted for."""
    about = {
        "encoder": layer.encoder,
        "dimensions": layer.dimensions,
        "groups": layer.groups,
        "heads": layer.heads,
        "word_scale": layer.word_scale,
    }
    np.savez_compressed(
        target,
        about=np.array(json.dumps(about)),
        words=layer.words.astype(np.float16),
        both=layer.both.astype(np.float16),
    )


def report(pairs: Sequence[tuple[Line, ReflectiveSupportSignal]], title: str) -> None:
    """Print every measure by language."""
    for language in ("ja", "en"):
        chosen = [pair for pair in pairs if pair[0].language == language]
        sys.stdout.write(f"\n{title}, {language}\n")
        for name, of in MEASURES.items():
            sys.stdout.write(f"  {name:32} {measure(chosen, of)}\n")


def main() -> None:
    """Run what the options ask for."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("cross", "test", "write", "words"):
        options.add_argument(f"--{name}", action="store_true")
    chosen = options.parse_args()
    reader = Reader.load()
    table = tabulate(load_lines(), reader)
    if chosen.cross:
        report(cross(table, reader, vectors=not chosen.words), "five folds of dev")
    if chosen.test:
        report(on_test(table, reader, vectors=not chosen.words), "test")
    if chosen.write:
        write(fit_layer(table, range(len(table.lines))), TARGET)
        sys.stdout.write(f"wrote {TARGET.name}, {TARGET.stat().st_size:,} bytes\n")


if __name__ == "__main__":
    main()
