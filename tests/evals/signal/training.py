"""Fitting the learned layer: weighted least squares over all inputs at once, then odds fitted to what it says unseen.

Everything is deterministic: no draws, no order of lines matters but for the folds of the odds.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.embedding.encoder import DIMENSIONS, SentenceEncoder
from core.stance.signal.features import SHAPE, features
from core.stance.signal.grams import grams
from core.stance.signal.layer import Layer, Weights, nearness
from core.stance.signal.reading import Reader
from core.stance.types import (
    EvidenceBalance,
    GuidanceStakes,
    PushbackLevel,
    RiskLevel,
    SupportDomain,
    SupportMode,
)
from tests.evals.signal.lines import Line
from tests.evals.signal.odds import Odds, fit_odds

Array = NDArray[np.float32]

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
ANCHORS = 1000
RAREST = 5
"""A piece of text in fewer lines than this is not kept."""

_BALANCE = 0.5
"""How far rare classes are weighed up: 1 = all classes weigh the same, 0 = every line does."""
_CASUAL = 1.5
"""Small talk weighs more than its share: taking it for distress is the worse fault of the two."""
_LATER = 2.0
"""Lines written to cover what the first ones lack weigh more than those."""
_LATER_SOURCES = frozenset({"second", "own_later"})
_RIDGE = 1.0
_SHARES = {"features": 0.5, "pieces": 0.5}
"""How much words and pieces weigh against the sentence vector, which weighs 1."""
_FOLDS = 3
_FLATTEST = 1e-2
"""Directions in which the anchors hardly differ are not blown up beyond this: single precision could not tell them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Lines with what the layer sees of them, row by row; `groups` names the features."""

    lines: Sequence[Line]
    groups: tuple[str, ...]
    features: Array
    grams: Sequence[frozenset[str]]
    vectors: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class _Inputs:
    """The inputs of every line of the table, scaled; `near` is whitened nearness, `whitening` leads to it."""

    pieces: dict[str, int]
    rarity: Array
    scales: dict[str, float]
    words: Array
    near: Array
    anchors: Array
    whitening: Array


def tabulate(lines: Sequence[Line], reader: Reader) -> Table:
    """Read and encode every line."""
    groups = tuple(sorted({name for lexicon in reader.lexicons.values() for name in lexicon.names}))
    readings = [reader.read(line.text) for line in lines]
    vectors = asyncio.run(SentenceEncoder().embed([reading.text for reading in readings]))
    return Table(
        lines=lines,
        groups=groups,
        features=np.array([features(reading, groups) for reading in readings], dtype=np.float32),
        grams=[frozenset(grams(reading)) for reading in readings],
        vectors=np.array([vector or [0.0] * DIMENSIONS for vector in vectors], dtype=np.float32),
    )


def fit_layer(table: Table, rows: Sequence[int]) -> Layer:
    """Fit both sets of weights of every head on the given rows."""
    fitted = np.array(rows)
    inputs = _inputs(table, fitted)
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


def _inputs(table: Table, rows: NDArray[np.int_]) -> _Inputs:
    counts = Counter(piece for row in rows for piece in table.grams[row])
    kept = sorted(piece for piece, count in counts.items() if count >= RAREST)
    pieces = {piece: index for index, piece in enumerate(kept)}
    rarity = np.array([np.log(len(rows) / counts[piece]) ** 0.5 for piece in kept], dtype=np.float32)
    bags = np.zeros((len(table.lines), len(kept)), dtype=np.float32)
    for row, found in enumerate(table.grams):
        known = [pieces[piece] for piece in found if piece in pieces]
        bags[row, known] = rarity[known]
    bags /= np.maximum(np.linalg.norm(bags, axis=1, keepdims=True), 1.0)
    scales = {
        "features": float((_SHARES["features"] / np.mean(np.sum(table.features[rows] ** 2, axis=1))) ** 0.5),
        "pieces": float((_SHARES["pieces"] / np.mean(np.sum(bags[rows] ** 2, axis=1))) ** 0.5),
    }
    anchors = _anchors(table.vectors[rows])
    values, directions = np.linalg.eigh(nearness(anchors, anchors).astype(np.float64))
    whitening = (directions / np.sqrt(np.maximum(values, _FLATTEST))).astype(np.float32)
    return _Inputs(
        pieces=pieces,
        rarity=rarity,
        scales=scales,
        words=np.hstack([table.features * scales["features"], bags * scales["pieces"]]),
        near=nearness(table.vectors, anchors) @ whitening,
        anchors=anchors,
        whitening=whitening,
    )


def _anchors(vectors: Array) -> Array:
    """Choose one vector after another, each the one that those before it tell least about."""
    left = np.einsum("ij,ij->i", vectors, vectors).astype(np.float64)  # 1, or 0 where there was no text
    told = np.zeros((ANCHORS, len(vectors)))
    chosen: list[int] = []
    for index in range(min(ANCHORS, len(vectors))):
        pick = int(np.argmax(left))
        chosen.append(pick)
        near = nearness(vectors[pick][None], vectors)[0].astype(np.float64)
        told[index] = (near - told[:index].T @ told[:index, pick]) / max(left[pick], 1e-9) ** 0.5
        left = np.maximum(left - told[index] ** 2, 0.0)
        left[pick] = 0.0
    return rounded(vectors[chosen])


def rounded(array: Array) -> Array:
    """Return the array as it comes back from one byte a number."""
    scale = scale_of(array)
    return (np.round(array / scale) * scale).astype(np.float32)


def scale_of(array: Array) -> Array:
    """Return for each column what one step of a byte stands for."""
    widest: Array = np.maximum(np.abs(array).max(axis=0), 1e-9) / 127
    return widest.astype(np.float16).astype(np.float32)


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


def _weights_of(table: Table, inputs: _Inputs, fitted: _Fitted, words: Array, near: Array) -> Weights:
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
    return np.array(
        [
            (_LATER if line.source in _LATER_SOURCES else 1.0)
            * (_CASUAL if line.labels["mode"] == SupportMode.CASUAL else 1.0)
            for line in lines
        ]
    )


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
