"""Fitting the learned layer: weighted least squares over all inputs at once, then odds fitted to what it says unseen.

The odds are fitted to what is said of each hand's lines by weights that no line of that hand had a part in, so that
they hold for a writer nobody has seen. The same lines always give the same weights: nothing is drawn.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.embedding.encoder import SentenceEncoder
from core.stance.signal.features import SHAPE
from core.stance.signal.layer import Layer, Weights, nearness
from core.stance.types import (
    EvidenceBalance,
    GuidanceStakes,
    PushbackLevel,
    RiskLevel,
    SupportDomain,
    SupportMode,
)
from tests.evals.signal.inputs import Array, Inputs, Table, inputs_of
from tests.evals.signal.lines import IN_TALK, OTHER_HANDS, Line, hand_of
from tests.evals.signal.odds import Odds, fit_odds
from tests.evals.signal.solving import Accuracy, solve

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
"""Heads fitted on every line, at once; the others on reflective support alone, one by one."""
PRESSED = "pushback"
"""The head that is also fitted on what is said within talks."""

_BALANCE = 0.5
"""How far rare classes are weighed up: 1 = all classes weigh the same, 0 = every line does."""
_CASUAL = 1.5
"""Small talk weighs more than its share: taking it for distress is the worse fault of the two."""
_HARD = 1.6
"""… and the more when it jokes in the words of danger."""
_LATER = 2.0
"""Lines written to cover what the first ones lack weigh more than those."""
_LATER_SOURCES = OTHER_HANDS | IN_TALK | {"own_later", "own_wide", "own_news", "own_memory"}
_RIDGE = 1.0
_SHIPPED = Accuracy(left=0.005, steps=200)
_UNSEEN = Accuracy(left=0.03, steps=80)
"""How exactly the weights are solved, and those without a hand, which only odds and figures hang on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """A layer, and what is said of its lines by weights that no line of the same hand had a part in.

    `by_words` and `with_vector` are (lines, all classes), as `Layer.scores` takes them; heads of reflective support
    say nothing (0) of other lines.
    """

    layer: Layer
    by_words: Array
    with_vector: Array


def fit_layer(table: Table, rows: Sequence[int]) -> Fit:
    """Fit both sets of weights of every head on the given rows."""
    fitted = np.array(rows)
    inputs = inputs_of(table, fitted)
    words, near = inputs.words[fitted], inputs.near[fitted]
    told = np.any(near != 0, axis=1)
    alike = likeness(words)
    by_words = _fit_heads(table, fitted, alike)
    alike += nearness(near, near) * np.outer(told, told)
    with_vector = _fit_heads(table, fitted, alike)
    layer = Layer(
        encoder=SentenceEncoder.name,
        groups=table.groups,
        heads=HEADS,
        pieces=inputs.pieces,
        rarity=inputs.rarity,
        directions=inputs.directions,
        anchors=near[told],
        words=_weights_of(table, inputs, by_words, words, by_words.dual[:0]),
        both=_weights_of(table, inputs, with_vector, words, with_vector.dual[told]),
    )
    return Fit(layer=layer, by_words=by_words.unseen, with_vector=with_vector.unseen)


def likeness(words: Array) -> Array:
    """Return how alike the words of each two lines are."""
    alike: Array = words @ words.T
    return alike


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fitted:
    """`dual` is (fitted rows, classes): how much each line counts; `bias` and `japanese` are (classes,).

    `unseen` is (fitted rows, classes): what is said of each row without its hand.
    """

    dual: Array
    bias: Array
    japanese: Array
    unseen: Array


def _fit_heads(table: Table, rows: NDArray[np.int_], alike: Array) -> _Fitted:
    """Fit every head; `alike` is (rows, rows), how alike the inputs of two lines are.

    What is said within a talk is only fitted on for pushback, which shows there.
    """
    lines = [table.lines[row] for row in rows]
    by_itself = np.array([line.source not in IN_TALK for line in lines])
    reflective = np.array([_reflective(line) for line in lines])
    parts: list[tuple[Array, Array, Odds]] = []

    def fit(heads: Sequence[str], taken: NDArray[np.bool_]) -> None:
        among = np.flatnonzero(taken)
        for dual, unseen, odds in _fit_together(heads, [lines[at] for at in among], alike[np.ix_(among, among)]):
            parts.append((_spread(dual, among, len(rows)), _spread(unseen, among, len(rows)), odds))

    fit(EVERYWHERE, by_itself)
    for head in HEADS:
        if head not in EVERYWHERE:
            fit((head,), reflective if head == PRESSED else reflective & by_itself)
    return _Fitted(
        dual=np.hstack([dual for dual, _, _ in parts]),
        bias=np.concatenate([odds.bias for _, _, odds in parts]).astype(np.float32),
        japanese=np.concatenate([odds.japanese for _, _, odds in parts]).astype(np.float32),
        unseen=np.hstack([unseen for _, unseen, _ in parts]),
    )


def _spread(part: Array, rows: NDArray[np.int_], count: int) -> Array:
    whole = np.zeros((count, part.shape[1]), dtype=np.float32)
    whole[rows] = part
    return whole


def _fit_together(heads: Sequence[str], lines: Sequence[Line], alike: Array) -> list[tuple[Array, Array, Odds]]:
    """Fit heads on the same lines, which are weighed by the classes of the first: dual, values unseen, odds of each."""
    targets = [np.array([HEADS[head].index(_class_of(line, head)) for line in lines]) for head in heads]
    wanted = np.hstack(
        [np.eye(len(HEADS[head]))[classes] * 2 - 1 for head, classes in zip(heads, targets, strict=True)]
    )
    weights = _line_weights(lines)
    solved, unseen = _solve(alike, wanted, weights * _rarity(targets[0]), _hands(lines))
    japanese = np.array([line.language == "ja" for line in lines])
    ends = np.cumsum([len(HEADS[head]) for head in heads])[:-1]
    fitted = []
    for dual, outputs, classes in zip(
        np.split(solved, ends, axis=1), np.split(unseen, ends, axis=1), targets, strict=True
    ):
        odds = fit_odds(outputs, classes, japanese, weights)
        fitted.append((dual * np.float32(odds.slope), odds.values(outputs, japanese), odds))
    return fitted


def _solve(
    alike: Array, wanted: NDArray[np.float64], weights: NDArray[np.float64], hands: NDArray[np.int_]
) -> tuple[Array, Array]:
    """Return the dual of all rows, and for each row the outputs of a dual that no row of its hand had a part in."""
    targets, ridge = wanted.astype(np.float32), (_RIDGE / weights).astype(np.float32)
    writers = np.unique(hands)
    others = np.repeat((hands[:, None] != writers[None]).astype(np.float32), targets.shape[1], axis=1)
    without = solve(alike, np.tile(targets, len(writers)), ridge, _UNSEEN, others)
    outputs = (alike @ without).reshape(len(hands), len(writers), -1)
    unseen = outputs[np.arange(len(hands)), np.searchsorted(writers, hands)]
    return solve(alike, targets, ridge, _SHIPPED), unseen


def _weights_of(table: Table, inputs: Inputs, fitted: _Fitted, words: Array, anchors: Array) -> Weights:
    """Go from lines to inputs and undo the scales, so that the layer can be asked with plain inputs."""
    solved = (words.T @ fitted.dual) * inputs.scales[:, None]
    groups = table.features.shape[1]
    known = solved[:groups]
    known[len(table.groups) + SHAPE.index("japanese")] += fitted.japanese
    return Weights(features=np.vstack([known, fitted.bias]), pieces=solved[groups:], anchors=anchors)


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


def _hands(lines: Sequence[Line]) -> NDArray[np.int_]:
    """Return a number for each line's writer."""
    writers = sorted({hand_of(line) for line in lines})
    return np.array([writers.index(hand_of(line)) for line in lines])


def _reflective(line: Line) -> bool:
    return line.labels["mode"] == SupportMode.REFLECTIVE_SUPPORT


def _class_of(line: Line, head: str) -> str:
    if head == "crisis":
        return "own" if line.own_crisis else "none"
    return line.labels[head]
