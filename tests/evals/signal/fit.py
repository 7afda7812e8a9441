"""Fit the learned layer of the signal, measure it, write it.

python -m tests.evals.signal.fit --cross      the dev lines of each hand, by weights without that hand: to tune by
python -m tests.evals.signal.fit --test       fitted on dev, measured on the test side
python -m tests.evals.signal.fit --write      fitted on both sides, written to core/stance/signal/layer.npz
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from core.stance.signal.evidence import Evidence
from core.stance.signal.judgement import Context, Judgement
from core.stance.signal.layer import Layer, Scores
from core.stance.signal.reading import Reader, Reading
from core.stance.types import ReflectiveSupportSignal
from tests.evals.signal.inputs import Table, scale_of, tabulate
from tests.evals.signal.lines import IN_TALK, OTHER_HANDS, UNFITTED, Line, load_lines
from tests.evals.signal.measure import MEASURES, measure
from tests.evals.signal.training import fit_layer

TARGET = Path(__file__).parents[3] / "core/stance/signal/layer.npz"


def judge_rows(
    table: Table, layer: Layer, reader: Reader, rows: Sequence[int], *, vectors: bool
) -> list[ReflectiveSupportSignal]:
    """Judge rows of the table as the program does, or without their sentence vectors."""
    judged = []
    for row in rows:
        reading = reader.read(table.lines[row].text)
        seen = layer.see(reading)
        by_words = layer.by_words(seen)
        with_vector = layer.with_vector(seen, table.vectors[row].tolist()) if vectors else None
        judged.append(_judge(reading, by_words, with_vector))
    return judged


def _judge(reading: Reading, by_words: Scores, with_vector: Scores | None) -> ReflectiveSupportSignal:
    judgement, evidence = Judgement(), Evidence.gather(reading)
    if with_vector is None or judgement.is_settled(evidence, by_words):
        return judgement.judge(reading, evidence, by_words, Context(), vectored=False)
    return judgement.judge(reading, evidence, with_vector, Context(), vectored=True)


def fitted_rows(table: Table, *sides: str) -> list[int]:
    """Return the rows of the lines of those sides that weights are fitted on."""
    return [row for row, line in enumerate(table.lines) if line.side in sides and line.source not in UNFITTED]


def cross(table: Table, reader: Reader, *, vectors: bool = True) -> list[tuple[Line, ReflectiveSupportSignal]]:
    """Judge each line of the dev sides with weights that no line of its hand had a part in."""
    dev = fitted_rows(table, "dev")
    fit = fit_layer(table, dev)
    pairs = []
    for row, words, both in zip(dev, fit.by_words, fit.with_vector, strict=True):
        line = table.lines[row]
        if line.source in IN_TALK:
            continue
        with_vector = fit.layer.scores(both) if vectors else None
        pairs.append((line, _judge(reader.read(line.text), fit.layer.scores(words), with_vector)))
    return pairs


def on_test(table: Table, reader: Reader, *, vectors: bool = True) -> list[tuple[Line, ReflectiveSupportSignal]]:
    """Judge the test side of the lines by another hand with weights fitted on all dev sides."""
    layer = fit_layer(table, fitted_rows(table, "dev")).layer
    rows = [row for row, line in enumerate(table.lines) if line.side == "test" and line.source in OTHER_HANDS]
    judged = judge_rows(table, layer, reader, rows, vectors=vectors)
    return list(zip((table.lines[row] for row in rows), judged, strict=True))


def write(layer: Layer, target: Path) -> None:
    """Write the weights, the large arrays with one byte a number, with what they were fitted for."""
    about = {
        "encoder": layer.encoder,
        "groups": layer.groups,
        "heads": layer.heads,
        "pieces": list(layer.pieces),
    }
    arrays: dict[str, np.ndarray[Any, Any]] = {"rarity": layer.rarity.astype(np.float16)}
    arrays |= _in_bytes("directions", layer.directions) | _in_bytes("anchors", layer.anchors)
    for name, part in (("words", layer.words), ("both", layer.both)):
        arrays[f"{name}_features"] = part.features
        arrays[f"{name}_anchors"] = part.anchors.astype(np.float16)
        arrays |= _in_bytes(f"{name}_pieces", part.pieces)
    arrays["about"] = np.array(json.dumps(about, ensure_ascii=False))
    np.savez_compressed(target, allow_pickle=False, **arrays)


def _in_bytes(name: str, array: np.ndarray[Any, Any]) -> dict[str, np.ndarray[Any, Any]]:
    scale = scale_of(array)
    return {name: np.round(array / scale).astype(np.int8), f"{name}_scale": scale.astype(np.float16)}


def report(pairs: Sequence[tuple[Line, ReflectiveSupportSignal]], title: str) -> None:
    """Print every measure by hand and language."""
    for hand, language in sorted({(line.source, line.language) for line, _ in pairs}):
        chosen = [pair for pair in pairs if (pair[0].source, pair[0].language) == (hand, language)]
        sys.stdout.write(f"\n{title}, {hand} hand, {language}\n")
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
        report(cross(table, reader, vectors=not chosen.words), "dev, hand left out")
    if chosen.test:
        report(on_test(table, reader, vectors=not chosen.words), "test")
    if chosen.write:
        write(fit_layer(table, fitted_rows(table, "dev", "test")).layer, TARGET)
        sys.stdout.write(f"wrote {TARGET.name}, {TARGET.stat().st_size:,} bytes\n")


if __name__ == "__main__":
    main()
