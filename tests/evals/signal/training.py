"""Fitting the linear layer: softmax regression with ridge, full batches, no randomness at all."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.embedding.encoder import DIMENSIONS, SentenceEncoder
from core.stance.signal.features import features
from core.stance.signal.layer import Layer
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
BALANCE = {"mode": 1.0, "crisis": 0.7}
"""How far rare classes are weighed up: 1 = all classes weigh the same, 0 = every line does."""
EVERYWHERE = frozenset({"mode", "crisis"})
"""Heads fitted on every line; the others on reflective support alone."""

WORD_SCALE = 0.4
_RIDGE = {"words": 1e-3, "both": 2e-4}
_STEPS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Lines with their features and sentence vectors, row by row; `groups` names the features."""

    lines: Sequence[Line]
    groups: tuple[str, ...]
    features: Array
    vectors: Array


def tabulate(lines: Sequence[Line], reader: Reader) -> Table:
    """Read and encode every line."""
    groups = tuple(sorted({name for lexicon in reader.lexicons.values() for name in lexicon.names}))
    readings = [reader.read(line.text) for line in lines]
    vectors = asyncio.run(SentenceEncoder().embed([reading.text for reading in readings]))
    return Table(
        lines=lines,
        groups=groups,
        features=np.array([features(reading, groups) for reading in readings], dtype=np.float32),
        vectors=np.array([vector or [0.0] * DIMENSIONS for vector in vectors], dtype=np.float32),
    )


def fit_layer(table: Table, rows: Sequence[int]) -> Layer:
    """Fit both sets of weights of every head on the given rows."""
    words = table.features * WORD_SCALE
    both = np.hstack([table.vectors, words])
    return Layer(
        encoder=SentenceEncoder.name,
        dimensions=DIMENSIONS,
        groups=table.groups,
        heads=HEADS,
        word_scale=WORD_SCALE,
        words=_fit_heads(table, rows, words, _RIDGE["words"]),
        both=_fit_heads(table, rows, both, _RIDGE["both"]),
    )


def _fit_heads(table: Table, rows: Sequence[int], inputs: Array, ridge: float) -> Array:
    parts = []
    for head, classes in HEADS.items():
        used = [row for row in rows if head in EVERYWHERE or _reflective(table.lines[row])]
        wanted = np.array([classes.index(_class_of(table.lines[row], head)) for row in used])
        parts.append(_fit(inputs[used], wanted, len(classes), ridge, BALANCE.get(head, 0.5)))
    return np.hstack(parts)


def _reflective(line: Line) -> bool:
    return line.labels["mode"] == SupportMode.REFLECTIVE_SUPPORT


def _class_of(line: Line, head: str) -> str:
    if head == "crisis":
        return "own" if line.own_crisis else "none"
    return line.labels[head]


def _fit(inputs: Array, wanted: NDArray[np.int_], classes: int, ridge: float, balance: float) -> Array:
    """Accelerated gradient descent on the weighted cross entropy; the last row of the result is the bias."""
    counts = np.maximum(np.bincount(wanted, minlength=classes), 1)
    weights = (1.0 / counts**balance)[wanted]
    weights /= weights.mean()
    rows = np.hstack([inputs, np.ones((len(inputs), 1), dtype=np.float32)])
    targets = np.eye(classes)[wanted]
    step = 1.0 / (0.5 * np.linalg.norm(rows, 2) ** 2 / len(rows) * weights.max() + ridge)
    current = np.zeros((rows.shape[1], classes))
    ahead, momentum = current.copy(), 1.0
    for _ in range(_STEPS):
        outputs = rows @ ahead
        outputs = np.exp(outputs - outputs.max(axis=1, keepdims=True))
        outputs /= outputs.sum(axis=1, keepdims=True)
        gradient = rows.T @ ((outputs - targets) * weights[:, None]) / len(rows)
        gradient[:-1] += ridge * ahead[:-1]
        following = ahead - step * gradient
        later = (1 + (1 + 4 * momentum**2) ** 0.5) / 2
        ahead = following + (momentum - 1) / later * (following - current)
        current, momentum = following, later
    return current.astype(np.float32)
