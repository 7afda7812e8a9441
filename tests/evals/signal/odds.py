"""Turning the outputs of least squares into odds: one slope for a head, one bias for each class and language."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_STEPS = 400
_RATE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Odds:
    """The odds of a class are exp(slope · output + bias), and in Japanese exp(… + japanese) besides."""

    slope: float
    bias: NDArray[np.float64]
    japanese: NDArray[np.float64]

    def values(self, outputs: NDArray[np.float32], japanese: NDArray[np.bool_]) -> NDArray[np.float32]:
        """Return the logarithms of the odds of outputs (rows, classes)."""
        values = self.slope * outputs + self.bias + japanese[:, None] * self.japanese
        logarithms: NDArray[np.float32] = values.astype(np.float32)
        return logarithms


def fit_odds(
    outputs: NDArray[np.float32], classes: NDArray[np.int_], japanese: NDArray[np.bool_], weights: NDArray[np.float64]
) -> Odds:
    """Fit on outputs (rows, classes) that the weights had no part in, by gradient descent on the cross entropy."""
    wanted = np.eye(outputs.shape[1])[classes]
    share = weights / weights.sum()
    slope, bias, extra = 2.0, np.zeros(outputs.shape[1]), np.zeros(outputs.shape[1])
    for _ in range(_STEPS):
        values = slope * outputs + bias + japanese[:, None] * extra
        odds = np.exp(values - values.max(axis=1, keepdims=True))
        odds /= odds.sum(axis=1, keepdims=True)
        fault = (odds - wanted) * share[:, None]
        slope -= _RATE * float((fault * outputs).sum())
        bias = bias - _RATE * fault.sum(axis=0)
        extra = extra - _RATE * fault[japanese].sum(axis=0)
    return Odds(slope=slope, bias=bias, japanese=extra)
