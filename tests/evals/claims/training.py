"""Fitting the second opinion of the time guard: least squares with a ridge, by conjugate gradients, no randomness."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.facts.time_claims.learned.features import Namespaced
from core.facts.time_claims.learned.layer import SEPARATOR, Half

_RIDGE = 0.3
_STEPS = 120
_MOST = 127
Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """What something is known by, whether it is a claim, and how much it counts."""

    features: Counter[str]
    claim: bool
    weight: float


def counted(namespaced: Iterable[Namespaced]) -> Counter[str]:
    """Return features with their kind before them, counted; those that the file of weights could not hold left out."""
    return Counter(
        f"{kind}{SEPARATOR}{feature}"
        for kind, features in namespaced
        for feature in features
        if "\n" not in feature and SEPARATOR not in feature
    )


def fit(examples: Sequence[Example], *, kinds: Sequence[str], keep: int) -> Half:
    """Fit weights of which the `keep` largest are kept, as whole numbers; the limit is still to be set."""
    known = Counter(feature for example in examples for feature in example.features)
    numbers = {feature: number for number, feature in enumerate(f for f, times in known.items() if times > 1)}
    rows, columns, values = _entries(examples, numbers)
    weights = np.array([example.weight for example in examples])
    targets = np.array([float(example.claim) for example in examples])
    size = len(numbers) + 1

    def product(vector: Array) -> Array:
        told = np.bincount(rows, values * vector[columns], minlength=len(examples)) * weights
        return np.bincount(columns, values * told[rows], minlength=size) + _RIDGE * vector

    start = np.bincount(columns, values * (weights * targets)[rows], minlength=size).astype(np.float64)
    solved = _solve(product, start)
    return _half(dict(zip(numbers, solved[:-1], strict=True)), float(solved[-1]), kinds, keep)


def _entries(examples: Sequence[Example], numbers: dict[str, int]) -> tuple[NDArray[np.int_], NDArray[np.int_], Array]:
    """Return the table of features as places and values; the last column is the bias."""
    rows, columns, values = [], [], []
    for row, example in enumerate(examples):
        length = float(np.sqrt(example.features.total() or 1))
        for feature, times in example.features.items():
            if (column := numbers.get(feature)) is not None:
                rows.append(row)
                columns.append(column)
                values.append(times / length)
        rows.append(row)
        columns.append(len(numbers))
        values.append(1.0)
    return np.array(rows), np.array(columns), np.array(values)


def _solve(product: Callable[[Array], Array], start: Array) -> Array:
    """Return what `product` turns into `start`, by conjugate gradients."""
    found = np.zeros_like(start)
    left, way = start.copy(), start.copy()
    size = float(left @ left)
    for _ in range(_STEPS):
        turned = product(way)
        step = size / float(way @ turned)
        found += step * way
        left -= step * turned
        size, before = float(left @ left), size
        if size < 1e-9:
            break
        way = left + size / before * way
    return found


def _half(weights: dict[str, float], bias: float, kinds: Sequence[str], keep: int) -> Half:
    kept = sorted(weights.items(), key=lambda item: -abs(item[1]))[:keep]
    scale = max(abs(weight) for _, weight in kept) / _MOST
    table: dict[str, dict[str, int]] = {kind: {} for kind in kinds}
    for name, weight in kept:
        kind, _, feature = name.partition(SEPARATOR)
        if whole := round(weight / scale):
            table[kind][feature] = whole
    return Half(weights=table, scale=scale, bias=bias, limit=1.0, doubt=0.0)
