"""Fits the weights of the learned evidence: `python -m tests.unit.stance.gate_fit [dev]`, on all lines or on one side.

Three ridge regressions in closed form, over the pieces of the reply, its vector, and its vector with the user's; their
scores are added. What a score must exceed is a quantile of the scores of good replies, each scored by weights that have
seen neither it nor its neighbours. Deterministic.
"""

import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.stance.gate.evidence import heard
from core.stance.gate.grams import BUCKETS, buckets
from core.stance.gate.layer import ANY, DANGER, DIMENSIONS, Bars
from core.stance.gate.registry import RULES
from core.stance.gate.view import look_at
from core.values import Locale
from tests.unit.stance.gate_corpus import LabelledReply, encode, labelled

Array = NDArray[np.float32]
Inputs = tuple[Array, Array, Array]
RULE_IDS = tuple(rule.id for rule in RULES)
HEADS = (*RULE_IDS, ANY, DANGER)
PENALTY_PIECES, PENALTY_VECTORS = 0.5, 3.0
WEIGHT_PIECES = 2.0
"""How much the scores of the pieces count against one of the two of the vectors."""
TOUCHED = 0.008
"""Share of good replies that the layer may find fault with, so that with the words about 1 % are touched."""
REPLACED, REPLACED_AT_STAKE = 0.006, 0.03
"""Shares of good replies that may look so dangerous; a reply must be found fault with as well to be replaced."""
UNIT = 0.01
BLOCK, FOLDS = 10, 8
"""Lines that stand together are often of one situation, so ten in a row are scored together."""
MISSED_UNENCODED = 0.01
"""Share of bad replies that may be left alone for their pieces, without a look at the vectors."""


def targets(rows: Sequence[LabelledReply]) -> Array:
    """Return (lines, heads): what each head should say of each line."""
    return np.array(
        [
            [rule in row.violations for rule in RULE_IDS] + [bool(row.violations), row.severity == "fallback"]
            for row in rows
        ],
        dtype=np.float32,
    )


def inputs(rows: Sequence[LabelledReply]) -> Inputs:
    """Return the pieces of the replies, the vectors of the replies and those of the turns."""
    replies = [heard(look_at(row.reply)) for row in rows]
    pieces = np.zeros((len(rows), BUCKETS), dtype=np.float32)
    for line, reply in enumerate(replies):
        numbers = buckets(reply)
        pieces[line, numbers] = len(numbers) ** -0.5 if numbers else 0.0
    users = [heard(look_at(row.user)) for row in rows]
    return pieces, vectors(replies), vectors(users)


def vectors(texts: Sequence[str]) -> Array:
    """Return the vectors of texts, zeros for an empty one."""
    return np.array([vector or [0.0] * DIMENSIONS for vector in encode(texts)], dtype=np.float32)


def ridge(features: Array, wanted: Array, penalty: float) -> tuple[Array, Array]:
    """Return weights and bias that fit `wanted` best; in dual form, since there are fewer lines than features."""
    middle, level = features.mean(axis=0), wanted.mean(axis=0)
    centred = features - middle
    kernel = centred @ centred.T + penalty * np.eye(len(features), dtype=np.float32)
    weights: Array = centred.T @ np.linalg.solve(kernel, wanted - level)
    return weights, level - middle @ weights


def fit(pieces: Array, said: Array, asked: Array, wanted: Array) -> dict[str, Array]:
    """Return the arrays of the layer."""
    of_pieces, pieces_bias = ridge(pieces, wanted, PENALTY_PIECES)
    of_reply, reply_bias = ridge(said, wanted, PENALTY_VECTORS)
    of_both, both_bias = ridge(np.hstack([said, asked]), wanted, PENALTY_VECTORS)
    of_both[:DIMENSIONS] += of_reply
    return {
        "pieces": of_pieces * WEIGHT_PIECES,
        "pieces_bias": pieces_bias * WEIGHT_PIECES,
        "vectors": of_both,
        "bias": reply_bias + both_bias,
    }


def scores(layer: dict[str, Array], pieces: Array, said: Array, asked: Array) -> tuple[Array, Array]:
    """Return what the pieces alone, and all together, say of each line."""
    alone = pieces @ layer["pieces"] + layer["pieces_bias"]
    return alone, alone + np.hstack([said, asked]) @ layer["vectors"] + layer["bias"]


def unseen_scores(rows: Sequence[LabelledReply], data: Inputs, wanted: Array) -> tuple[Array, Array]:
    """Return the scores of each line by weights that have seen neither it nor its neighbours."""
    pieces, said, asked = data
    fold_of = np.array(folds(rows))
    alone, full = np.zeros_like(wanted), np.zeros_like(wanted)
    for fold in range(FOLDS):
        out = fold_of == fold
        layer = fit(pieces[~out], said[~out], asked[~out], wanted[~out])
        alone[out], full[out] = scores(layer, pieces[out], said[out], asked[out])
    return alone, full


def folds(rows: Sequence[LabelledReply]) -> list[int]:
    """Return the fold of each line: ten in a row of a file together, and their retelling in the other language."""
    seen: Counter[str] = Counter()
    numbers = []
    for row in rows:
        numbers.append(seen[row.file] // BLOCK % FOLDS)
        seen[row.file] += 1
    return numbers


def bars(alone: Array, full: Array, wanted: Array) -> Bars:
    """Return the bars of one locale from the unseen scores of its lines."""
    anything = HEADS.index(ANY)
    good = wanted[:, anything] == 0
    unit = {rule: max(quantile(full[good, head], UNIT), 0.1) for head, rule in enumerate(RULE_IDS)}
    open_bars = Bars(
        worth_encoding=round(float(np.quantile(alone[~good, anything], MISSED_UNENCODED)), 4),
        unit=unit,
        named={rule: naming_bar(full[:, head], wanted[:, head]) for head, rule in enumerate(RULE_IDS)},
        found=0.0,
        danger=0.0,
        danger_at_stake=0.0,
    )
    named = [dict(zip(HEADS, line.tolist(), strict=True)) for line in full[good]]
    danger = np.array([open_bars.danger_in(line) for line in named])
    return replace(
        open_bars,
        found=quantile(np.array([open_bars.suspicion(line) for line in named]), TOUCHED),
        danger=quantile(danger, REPLACED),
        danger_at_stake=quantile(danger, REPLACED_AT_STAKE),
    )


def quantile(scores_of_good: NDArray[Any], share: float) -> float:
    """Return the score that this share of good replies exceeds."""
    return round(float(np.quantile(scores_of_good, 1 - share)), 4)


def naming_bar(full: Array, wanted: Array) -> float:
    """Return the score at which naming the rule is right and complete most evenly (greatest F1)."""
    order = np.argsort(-full)
    hits = np.cumsum(wanted[order])
    f1 = 2 * hits / (np.arange(1, len(order) + 1) + wanted.sum())
    return round(float(full[order[int(np.argmax(f1))]]) - 1e-4, 4)


def main() -> None:
    rows = labelled(sys.argv[1] if len(sys.argv) > 1 else None)
    data, wanted = inputs(rows), targets(rows)
    alone, full = unseen_scores(rows, data, wanted)
    spoken = np.array([row.locale for row in rows])
    about = {
        "heads": HEADS,
        "bars": {
            locale.value: asdict(bars(*(part[spoken == locale.value] for part in (alone, full, wanted))))
            for locale in Locale
        },
    }
    arrays: dict[str, Any] = {name: array.astype(np.float16) for name, array in fit(*data, wanted).items()}
    target = Path(str(files("core.stance.gate").joinpath("weights/evidence.npz")))
    with target.open("wb") as stream:
        np.savez_compressed(stream, about=np.array(json.dumps(about)), **arrays)
    good = sum(not row.violations for row in rows)
    sys.stdout.write(
        f"{len(rows)} replies, {good} of them clean -> {target.name}, {target.stat().st_size // 1024} KB\n"
    )


if __name__ == "__main__":
    main()
