"""Fitting the second opinion: least squares with a ridge, solved at once, no randomness at all."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.embedding.encoder import DIMENSIONS, SentenceEncoder
from core.proactive.claims.reading import sentences
from core.proactive.opinion.layer import CLASSES, LANDMARK_SCALE, Array, Layer, closeness
from core.proactive.opinion.opinion import folded
from core.proactive.opinion.pieces import pieces
from tests.evals.admission.lines import Line

LANDMARKS = 640
_RIDGE = {"words": 0.5, "both": 0.5}
_WORDS = 0.5
"""How much the pieces count beside the vector."""
_JITTER = 1e-4
_MOST = 127

Rows = NDArray[np.int_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Lines with their pieces and sentence vectors, row by row."""

    lines: Sequence[Line]
    pieces: Array
    vectors: Array

    def only(self, rows: Rows) -> "Table":
        """Return some of the rows."""
        return Table(lines=[self.lines[row] for row in rows], pieces=self.pieces[rows], vectors=self.vectors[rows])


def tabulate(lines: Sequence[Line]) -> Table:
    """Read and encode every line."""
    texts = [line.text for line in lines]
    encoder = SentenceEncoder()
    vectors = [vector for start in range(0, len(texts), 64) for vector in encoder.encode(texts[start : start + 64])]
    return Table(
        lines=lines,
        pieces=np.array([pieces(folded(tuple(sentences(text)))) for text in texts], dtype=np.float32),
        vectors=np.array([vector or [0.0] * DIMENSIONS for vector in vectors], dtype=np.float32),
    )


def fit_layer(table: Table) -> Layer:
    """Fit both sets of weights; the limits are still to be set."""
    landmarks = _landmarks(table.vectors)
    close, root = closeness(table.vectors, landmarks), _root(landmarks)
    spread = close @ root
    words = table.pieces @ table.pieces.T
    alphas = _solve(table, words + 1, _RIDGE["words"])
    both = _solve(table, spread @ spread.T + _WORDS * words + 1, _RIDGE["both"])
    return Layer(
        encoder=SentenceEncoder.name,
        limits={},
        words=np.vstack([table.pieces.T @ alphas, alphas.sum(axis=0)]),
        both=np.vstack([root @ (spread.T @ both), _WORDS * table.pieces.T @ both, both.sum(axis=0)]),
        landmarks=landmarks,
    )


def rounded(layer: Layer) -> Layer:
    """Return a layer as it is after it was written and read."""
    return replace(
        layer,
        words=layer.words.astype(np.float16).astype(np.float32),
        both=layer.both.astype(np.float16).astype(np.float32),
    )


def _solve(table: Table, kernel: Array, ridge: float) -> Array:
    targets = np.eye(len(CLASSES), dtype=np.float32)[[CLASSES.index(line.claims) for line in table.lines]]
    weights = np.array([line.weight for line in table.lines], dtype=np.float32)
    kernel[np.diag_indices(len(kernel))] += ridge / weights
    return np.asarray(np.linalg.solve(kernel, targets), dtype=np.float32)


def _landmarks(vectors: Array) -> Array:
    """Pick the rows that together say most about all others (pivoted Cholesky), as whole numbers times the scale."""
    left = closeness(vectors[:1], vectors[:1])[0, 0] * np.ones(len(vectors), dtype=np.float32)
    factors = np.zeros((len(vectors), LANDMARKS), dtype=np.float32)
    chosen: list[int] = []
    for number in range(min(LANDMARKS, len(vectors))):
        best = int(left.argmax())
        chosen.append(best)
        column = closeness(vectors, vectors[best : best + 1])[:, 0] - factors[:, :number] @ factors[best, :number]
        factors[:, number] = column / np.sqrt(max(float(left[best]), _JITTER))
        left -= factors[:, number] ** 2
        left[best] = -1.0
    whole = np.clip(np.round(vectors[sorted(chosen)] / LANDMARK_SCALE), -_MOST, _MOST)
    return (whole * LANDMARK_SCALE).astype(np.float32)


def _root(landmarks: Array) -> Array:
    """Return what turns closeness to landmarks into coordinates whose products are closeness again."""
    among = closeness(landmarks, landmarks).astype(np.float64)
    values, axes = np.linalg.eigh(among)
    return np.asarray(axes / np.sqrt(np.maximum(values, _JITTER)), dtype=np.float32)
