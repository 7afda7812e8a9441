"""Fits the weights of the learned evidence: `python -m tests.unit.stance.gate_fit [dev]`.

On all lines but those that only ever measure, or on one side.

Three ridge regressions, over the two views of the reply's pieces and over its vector times that of the user's turn;
their scores are added. What a score must exceed is a quantile of the scores of good replies, each scored by weights
that have seen no line by its writer. Deterministic; takes a few minutes.
"""

import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from core.stance.gate.evidence import heard
from core.stance.gate.grams import BUCKETS, buckets
from core.stance.gate.layer import ANY, DANGER, DIMENSIONS, RANK, Bars
from core.stance.gate.registry import RULES
from core.stance.gate.view import look_at
from core.stance.signal.canonical import for_encoder
from core.values import Locale
from tests.unit.stance.gate_corpus import MEASURES, LabelledReply, encode, labelled

Array = NDArray[np.float32]
RULE_IDS = tuple(rule.id for rule in RULES)
HEADS = (*RULE_IDS, ANY, DANGER)
PENALTY_PIECES, PENALTY_VECTORS = 0.5, 1.0
STEPS = 60
"""Of the conjugate gradients; half as many are too few for the vectors."""
TOUCHED = dict.fromkeys(Locale, 0.013)
"""Share of good replies that the layer may find fault with, so that with the words at most 2 % are touched."""
REPLACED, REPLACED_AT_STAKE = 0.006, 0.03
"""Shares of good replies that may look so dangerous; a reply must be found fault with as well to be replaced."""
UNIT = 0.01
RECALL_WEIGHS = {"overreliance_continuation": 1.5}
"""How much more it weighs to miss a rule's name than to give it to a reply that breaks another; 1 otherwise."""
AUTHOR = "replies_own"
"""The hand that knows the rules: learnt from, but no measure of good replies."""
MISSED_UNENCODED = 0.01
"""Share of bad replies that may be left alone for their pieces, without a look at the vectors."""
COMMON = 200
"""Lines from which on a piece is worth a column of its own when lines are compared."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """The lines as the layer sees them: the two views of the pieces, the vectors of the replies and of the turns."""

    whole: list[list[int]]
    wider: list[list[int]]
    said: Array
    asked: Array

    @classmethod
    def of(cls, rows: Sequence[LabelledReply]) -> Self:
        replies = [heard(look_at(row.reply)) for row in rows]
        views = [buckets(reply) for reply in replies]
        users = [for_encoder(row.user) for row in rows]
        return cls([one for one, _ in views], [other for _, other in views], vectors(replies), vectors(users))


@dataclass(frozen=True, slots=True)
class Kernels:
    """How alike any two lines are, (lines, lines), for each of the three regressions."""

    pieces: tuple[Array, Array]
    vectors: Array

    @classmethod
    def of(cls, data: Inputs) -> Self:
        vectors = (1 + data.said @ data.said.T) * (1 + data.asked @ data.asked.T)
        return cls((alike(data.whole), alike(data.wider)), vectors)


def targets(rows: Sequence[LabelledReply]) -> Array:
    """Return (lines, heads): what each head should say of each line."""
    return np.array(
        [
            [rule in row.violations for rule in RULE_IDS] + [bool(row.violations), row.severity == "fallback"]
            for row in rows
        ],
        dtype=np.float32,
    )


def vectors(texts: Sequence[str]) -> Array:
    """Return the vectors of texts, zeros for an empty one."""
    return np.array([vector or [0.0] * DIMENSIONS for vector in encode(texts)], dtype=np.float32)


def alike(pieces: Sequence[Sequence[int]]) -> Array:
    """Return 1, for the bias, plus the inner products of lines of length 1."""
    lengths = np.array([max(len(numbers), 1) ** -0.5 for numbers in pieces], dtype=np.float32)
    having: dict[int, list[int]] = defaultdict(list)
    for line, numbers in enumerate(pieces):
        for number in numbers:
            having[number].append(line)
    common = [lines for lines in having.values() if len(lines) >= COMMON]
    columns = np.zeros((len(pieces), len(common)), dtype=np.float32)
    for column, lines in enumerate(common):
        columns[lines, column] = lengths[lines]
    likeness: Array = 1 + columns @ columns.T
    for lines in having.values():
        if len(lines) < COMMON:
            likeness[np.ix_(lines, lines)] += np.outer(lengths[lines], lengths[lines])
    return likeness


def ridge(kernel: Array, wanted: Array, penalty: float, shown: Array | None = None) -> Array:
    """Return how much each line counts, (lines, columns), for `wanted` to be fitted best: by conjugate gradients.

    `shown`, (lines, columns) of 0 and 1, tells which lines a column may learn from; `wanted` is 0 for the others.
    """
    counts = np.zeros_like(wanted)
    rest = wanted.copy()
    way, size = rest, (rest * rest).sum(axis=0)
    for _ in range(STEPS):
        pull = kernel @ way + penalty * way
        pull = pull if shown is None else pull * shown
        step = size / np.maximum((way * pull).sum(axis=0), 1e-12)
        counts, rest = counts + step * way, rest - step * pull
        before, size = size, (rest * rest).sum(axis=0)
        way = rest + size / np.maximum(before, 1e-12) * way
    return counts


def fit(data: Inputs, kernels: Kernels, wanted: Array) -> dict[str, Array]:
    """Return the arrays of the layer."""
    level = wanted.mean(axis=0)
    whole, wider = (ridge(kernel, wanted - level, PENALTY_PIECES) for kernel in kernels.pieces)
    pieces = np.zeros((2 * BUCKETS, len(HEADS)), dtype=np.float32)
    for counts, views in ((whole, data.whole), (wider, data.wider)):
        for count, numbers in zip(counts, views, strict=True):
            pieces[numbers] += count * max(len(numbers), 1) ** -0.5
    counts = ridge(kernels.vectors, wanted - level, PENALTY_VECTORS)
    return {
        "pieces": pieces,
        "pieces_bias": 2 * level + whole.sum(axis=0) + wider.sum(axis=0),
        "vectors": narrowed(data.said, data.asked, counts),
        "bias": level,
    }


def narrowed(said: Array, asked: Array, counts: Array) -> Array:
    """Return `Layer.vectors`: for each head the sum of the products of reply and turn, cut down to `RANK`."""
    one, other = (np.hstack([np.ones((len(side), 1), dtype=np.float32), side]) for side in (said, asked))
    parts = np.zeros((2, counts.shape[1], RANK, 1 + DIMENSIONS), dtype=np.float32)
    for head in range(counts.shape[1]):
        left, sizes, right = np.linalg.svd((one * counts[:, head : head + 1]).T @ other, full_matrices=False)
        root = np.sqrt(sizes[:RANK, None])
        parts[:, head] = root * left[:, :RANK].T, root * right[:RANK]
    return parts


def unseen_scores(rows: Sequence[LabelledReply], kernels: Kernels, wanted: Array) -> tuple[Array, Array]:
    """Return what the pieces alone, and all together, say of each line by weights that saw no line by its writer.

    Lines of the rules' author are not scored (zeros).
    """
    of = np.array([row.hand for row in rows])
    hands = sorted(set(of) - {AUTHOR})
    parts = [_by_others(kernel, wanted, of, hands, PENALTY_PIECES) for kernel in kernels.pieces]
    alone = np.sum(parts, axis=0)
    return alone, alone + _by_others(kernels.vectors, wanted, of, hands, PENALTY_VECTORS)


def _by_others(kernel: Array, wanted: Array, of: NDArray[Any], hands: Sequence[str], penalty: float) -> Array:
    """Return the scores of one regression: all hands at once, each left out of columns of its own."""
    shown = np.hstack([np.repeat((of != hand)[:, None], len(HEADS), axis=1) for hand in hands]).astype(np.float32)
    levels = [wanted[of != hand].mean(axis=0) for hand in hands]
    counts = ridge(kernel, shown * np.hstack([wanted - level for level in levels]), penalty, shown)
    scores, all_scores = np.zeros_like(wanted), kernel @ counts
    for place, (hand, level) in enumerate(zip(hands, levels, strict=True)):
        columns = slice(place * len(HEADS), (place + 1) * len(HEADS))
        scores[of == hand] = level + all_scores[of == hand, columns]
    return scores


def bars(alone: Array, full: Array, wanted: Array, touched: float) -> Bars:
    """Return the bars of one locale from the unseen scores of its lines."""
    anything = HEADS.index(ANY)
    good = wanted[:, anything] == 0
    unit = {rule: max(quantile(full[good, head], UNIT), 0.1) for head, rule in enumerate(RULE_IDS)}
    open_bars = Bars(
        worth_encoding=round(float(np.quantile(alone[~good, anything], MISSED_UNENCODED)), 4),
        unit=unit,
        named={
            rule: naming_bar(full[:, head], wanted[:, head], RECALL_WEIGHS.get(rule, 1.0))
            for head, rule in enumerate(RULE_IDS)
        },
        found=0.0,
        danger=0.0,
        danger_at_stake=0.0,
    )
    named = [dict(zip(HEADS, line.tolist(), strict=True)) for line in full[good]]
    danger = np.array([open_bars.danger_in(line) for line in named])
    return replace(
        open_bars,
        found=quantile(np.array([open_bars.suspicion(line) for line in named]), touched),
        danger=quantile(danger, REPLACED),
        danger_at_stake=quantile(danger, REPLACED_AT_STAKE),
    )


def quantile(scores_of_good: NDArray[Any], share: float) -> float:
    """Return the score that this share of good replies exceeds."""
    return round(float(np.quantile(scores_of_good, 1 - share)), 4)


def naming_bar(full: Array, wanted: Array, recall: float) -> float:
    """Return the score at which naming the rule is right and complete, which weighs `recall` times as much (F-beta)."""
    order = np.argsort(-full)
    hits, weight = np.cumsum(wanted[order]), recall**2
    score = (1 + weight) * hits / (np.arange(1, len(order) + 1) + weight * wanted.sum())
    return round(float(full[order[int(np.argmax(score))]]) - 1e-4, 4)


def main() -> None:
    rows = [
        row
        for row in labelled(sys.argv[1] if len(sys.argv) > 1 else None)
        if not (row.hand in MEASURES and row.side == "test")
    ]
    data, wanted = Inputs.of(rows), targets(rows)
    kernels = Kernels.of(data)
    alone, full = unseen_scores(rows, kernels, wanted)
    of = {locale: np.array([row.locale == locale.value and row.hand != AUTHOR for row in rows]) for locale in Locale}
    about = {
        "heads": HEADS,
        "bars": {
            locale.value: asdict(bars(alone[mine], full[mine], wanted[mine], TOUCHED[locale]))
            for locale, mine in of.items()
        },
    }
    arrays: dict[str, Any] = {name: array.astype(np.float16) for name, array in fit(data, kernels, wanted).items()}
    target = Path(str(files("core.stance.gate").joinpath("weights/evidence.npz")))
    with target.open("wb") as stream:
        np.savez_compressed(stream, about=np.array(json.dumps(about)), **arrays)
    good = sum(not row.violations for row in rows)
    sys.stdout.write(
        f"{len(rows)} replies, {good} of them clean -> {target.name}, {target.stat().st_size // 1024} KB\n"
    )


if __name__ == "__main__":
    main()
