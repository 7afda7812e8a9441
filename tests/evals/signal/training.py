"""Fitting the learned layer: weighted least squares over all inputs at once, then odds fitted to what it says unseen.

The same lines always give the same weights: nothing is drawn but the folds of the odds, with a fixed seed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.embedding.encoder import SentenceEncoder
from core.stance.signal.features import SHAPE
from core.stance.signal.layer import Layer, Weights
from core.stance.types import (
    EvidenceBalance,
    GuidanceStakes,
    PushbackLevel,
    RiskLevel,
    SupportDomain,
    SupportMode,
)
from tests.evals.signal.inputs import Array, Inputs, Table, inputs_of
from tests.evals.signal.lines import OTHER_HANDS, Line
from tests.evals.signal.odds import Odds, fit_odds

HEADS: dict[str, tuple[str, ...]] = {
    "mode": tuple(SupportMode),
    "crisis": ("none", "own"),
    "domain": tuple(SupportDomain),
    "stakes": tuple(GuidanceStakes),
    "evidence_balance": tuple(EvidenceBalance),
    "pushback": tuple(PushbackLevel),
    "sycophancy_risk": tuple(RiskLevel),
    "overreliance_risk": tuple(RiskLevel),
}
EVERYWHERE = ("mode", "crisis")
"""Heads fitted on every line; the others on reflective support alone."""

_BALANCE = 0.5
"""How far rare classes are weighed up: 1 = all classes weigh the same, 0 = every line does."""
_CASUAL = 1.5
"""Small talk weighs more than its share: taking it for distress is the worse fault of the two."""
_HARD = 1.6
"""… and the more when it jokes in the words of danger."""
_LATER = 2.0
"""Lines written to cover what the first ones lack weigh more than those."""
_LATER_SOURCES = OTHER_HANDS | {"own_later"}
_RIDGE = 1.0
_FOLDS = 3


def fit_layer(table: Table, rows: Sequence[int]) -> Layer:
    """Fit both sets of weights of every head on the given rows."""
    fitted = np.array(rows)
    inputs = inputs_of(table, fitted)
    words, near = inputs.words[fitted], inputs.near[fitted]
    alike = words @ words.T
    by_words = _fit_heads(table, fitted, alike)
    with_vector = _fit_heads(table, fitted, alike + near @ near.T)
    return Layer(
        encoder=SentenceEncoder.name,
        groups=table.groups,
        heads=HEADS,
        pieces=inputs.pieces,
        rarity=inputs.rarity,
        anchors=inputs.anchors,
        words=_weights_of(table, inputs, by_words, words, near[:, :0]),
        both=_weights_of(table, inputs, with_vector, words, near),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fitted:
    """`dual` is (fitted rows, classes): how much each line counts; `bias` and `japanese` are (classes,)."""

    dual: Array
    bias: Array
    japanese: Array


def _fit_heads(table: Table, rows: NDArray[np.int_], alike: Array) -> _Fitted:
    """Fit every head; `alike` is (rows, rows), how alike the inputs of two lines are."""
    everyone = np.arange(len(rows))
    reflective = np.array([at for at, row in enumerate(rows) if _reflective(table.lines[row])])
    duals: list[Array] = []
    odds: list[Odds] = []
    for head, classes in HEADS.items():
        used = everyone if head in EVERYWHERE else reflective
        lines = [table.lines[row] for row in rows[used]]
        targets = np.array([classes.index(_class_of(line, head)) for line in lines])
        weights = _line_weights(lines)
        among = alike if len(used) == len(rows) else alike[np.ix_(used, used)]
        solved, unseen = _solve(among, np.eye(len(classes))[targets] * 2 - 1, weights * _rarity(targets), _folds(lines))
        found = fit_odds(unseen, targets, np.array([line.language == "ja" for line in lines]), weights)
        dual = np.zeros((len(rows), len(classes)), dtype=np.float32)
        dual[used] = solved * found.slope
        duals.append(dual)
        odds.append(found)
    return _Fitted(
        dual=np.hstack(duals),
        bias=np.concatenate([found.bias for found in odds]).astype(np.float32),
        japanese=np.concatenate([found.japanese for found in odds]).astype(np.float32),
    )


def _solve(
    alike: Array, wanted: NDArray[np.float64], weights: NDArray[np.float64], folds: NDArray[np.int_]
) -> tuple[Array, Array]:
    """Return the dual of all rows, and for each row the outputs of a dual that it had no part in."""
    unseen = np.zeros(wanted.shape, dtype=np.float32)
    for fold in range(_FOLDS):
        rest, held = np.nonzero(folds != fold)[0], np.nonzero(folds == fold)[0]
        unseen[held] = alike[np.ix_(held, rest)] @ _dual(alike[np.ix_(rest, rest)], wanted[rest], weights[rest])
    return _dual(alike.copy(), wanted, weights), unseen


def _dual(alike: Array, wanted: NDArray[np.float64], weights: NDArray[np.float64]) -> Array:
    """Solve weighted ridge regression; the ridge is added to `alike` in place."""
    alike[np.diag_indices(len(alike))] += (_RIDGE / weights).astype(np.float32)
    dual: Array = np.linalg.solve(alike, wanted.astype(np.float32))
    return dual


def _weights_of(table: Table, inputs: Inputs, fitted: _Fitted, words: Array, near: Array) -> Weights:
    """Go from lines to inputs; undo scales and whitening, so that the layer can be asked with plain inputs."""
    solved = words.T @ fitted.dual
    groups = table.features.shape[1]
    scaled = solved[:groups] * inputs.scales["features"]
    scaled[len(table.groups) + SHAPE.index("japanese")] += fitted.japanese
    anchors = near.T @ fitted.dual
    return Weights(
        features=np.vstack([scaled, fitted.bias]),
        pieces=solved[groups:] * inputs.scales["pieces"],
        anchors=inputs.whitening @ anchors if len(anchors) else anchors,
    )


def _rarity(classes: NDArray[np.int_]) -> NDArray[np.float64]:
    weights = 1.0 / np.maximum(np.bincount(classes), 1)[classes] ** _BALANCE
    scaled: NDArray[np.float64] = weights / weights.mean()
    return scaled


def _line_weights(lines: Sequence[Line]) -> NDArray[np.float64]:
    return np.array([(_LATER if line.source in _LATER_SOURCES else 1.0) * _casual_weight(line) for line in lines])


def _casual_weight(line: Line) -> float:
    if line.labels["mode"] != SupportMode.CASUAL:
        return 1.0
    return _CASUAL * (_HARD if line.labels["crisis"] != "none" else 1.0)


def _folds(lines: Sequence[Line]) -> NDArray[np.int_]:
    groups = sorted({line.group for line in lines})
    folds = dict(zip(groups, np.random.default_rng(0).permutation(len(groups)) % _FOLDS, strict=True))
    return np.array([folds[line.group] for line in lines])


def _reflective(line: Line) -> bool:
    return line.labels["mode"] == SupportMode.REFLECTIVE_SUPPORT


def _class_of(line: Line, head: str) -> str:
    if head == "crisis":
        return "own" if line.own_crisis else "none"
    return line.labels[head]
