"""Weighted ridge regression in the lines, with every line or without some, by conjugate gradients.

With ten thousand lines and more a system is solved several times over; a direct solution takes minutes each time.
The steps and their order are fixed, so the same lines give the same weights.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
_TINY = 1e-30


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Stop when what is left is this share of what was wanted, or after so many steps."""

    left: float
    steps: int


def solve(alike: Array, wanted: Array, ridge: Array, accuracy: Accuracy, kept: Array | None = None) -> Array:
    """Return the dual: `alike` is (rows, rows), `wanted` (rows, columns), `ridge` (rows,), what is added to each row.

    `kept` is (rows, columns), 1 where a row has a part in a column and 0 where it has none.
    """
    part = np.ones_like(wanted) if kept is None else kept
    left = wanted * part
    goal = accuracy.left * np.linalg.norm(left, axis=0)
    added = ridge[:, None]
    scale = 1 / (added + np.diag(alike)[:, None])
    dual, step = np.zeros_like(left), left * scale
    size = np.einsum("ij,ij->j", left, step)
    for _ in range(accuracy.steps):
        moved = (alike @ step) * part + added * step
        length = size / np.maximum(np.einsum("ij,ij->j", step, moved), _TINY)
        dual += length * step
        left -= length * moved
        if np.all(np.linalg.norm(left, axis=0) <= goal):
            break
        turned = left * scale
        before, size = size, np.einsum("ij,ij->j", left, turned)
        step = turned + (size / np.maximum(before, _TINY)) * step
    return dual
