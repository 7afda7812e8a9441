"""The vectors of posts and interests: how they are stored in 512 bytes, compared and blended (seed 002).

The codec is exact: the same numbers give the same bytes as the reference, to the last bit. A stored vector is made of
512 signed bytes from -127 to 127; -128 means damage.
"""

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.errors import CoreError
from core.social.decoded import MAGNITUDES
from core.social.exponential import exponential

DIMENSIONS = 512
PERCENTILE = 0.97
GAMMA = 0.7
_LARGEST = 127
_STEEPEST = 700.0
"""Beyond it the sigmoid is 0 or 1 as far as numbers can tell."""

Encoded = NDArray[np.int8]
"""(512,) signed bytes."""
Decoded = NDArray[np.float64]
"""(512,) numbers from -1 to 1."""


class VectorError(CoreError):
    """A vector can't be used: numbers that are none, or stored bytes that are damaged."""

    hint = "error.internal"


def encode(numbers: Sequence[float]) -> Encoded:
    """Return the stored form of a vector: its first 512 numbers, zeros for what is missing.

    Scaled by the 97th percentile of the magnitudes (the largest where that is 0), cut off there, raised to the power of
    0.7, times 127, and rounded with halves going up.

    Raises:
        VectorError: a number is not finite.
    """
    kept = [float(number) for number in numbers[:DIMENSIONS]]
    if not all(map(math.isfinite, kept)):
        raise VectorError("a vector holds a number that is not finite")
    kept += [0.0] * (DIMENSIONS - len(kept))
    magnitudes = sorted(map(abs, kept))
    scale = magnitudes[math.floor((DIMENSIONS - 1) * PERCENTILE)] or magnitudes[-1]
    if scale == 0.0:
        return np.zeros(DIMENSIONS, dtype=np.int8)
    return np.array([_quantised(number, scale) for number in kept], dtype=np.int8)


def decode(encoded: Encoded) -> Decoded:
    """Return the numbers that stored bytes stand for; of one vector, or of many, one in each row.

    Raises:
        VectorError: a byte is -128, which is never stored.
    """
    if (encoded < -_LARGEST).any():
        raise VectorError("a stored vector holds -128: it is damaged")
    decoded: Decoded = _DECODED[encoded.astype(np.int16) + _LARGEST]
    return decoded


def decode_roughly(encoded: Encoded, into: NDArray[np.float32]) -> None:
    """Write in single precision what `decode` returns, for comparing tens of thousands of vectors.

    Raises:
        VectorError: a byte is -128, which is never stored.
    """
    if (encoded < -_LARGEST).any():
        raise VectorError("a stored vector holds -128: it is damaged")
    _ROUGHLY.take(encoded.view(np.uint8), out=into, mode="clip")


def cosine(one: Encoded, other: Encoded) -> float:
    """Return the cosine of two stored vectors, 0 where one of them is zero. Summed in order, as the reference does."""
    dot = norm_one = norm_other = 0.0
    for x, y in zip(decode(one).tolist(), decode(other).tolist(), strict=True):
        dot += x * y
        norm_one += x * x
        norm_other += y * y
    if norm_one == 0.0 or norm_other == 0.0:
        return 0.0
    return max(-1.0, min(1.0, dot / math.sqrt(norm_one * norm_other)))


def unit(vector: Decoded) -> Decoded:
    """Return the vector with length 1; a zero vector stays zero."""
    square = 0.0
    for number in vector.tolist():
        square += number * number
    return vector if square == 0.0 else vector * (1.0 / math.sqrt(square))


def blend(new: Encoded, old: Encoded | None, hysteresis: float) -> Encoded:
    """Return a new interest with some of the old one left in it: both as unit vectors, the old times `hysteresis`."""
    before = np.zeros(DIMENSIONS) if old is None else unit(decode(old))
    return encode(unit(unit(decode(new)) + before * hysteresis).tolist())


def contrast(x: float, gain: float, mid: float) -> float:
    """Return the sigmoidal contrast of a number from 0 to 1, rescaled so that 0 stays 0 and 1 stays 1.

    Raises:
        VectorError: with that gain and middle everything is the same (a gain of 0).
    """
    lowest, highest = _ends(gain, mid)
    if highest == lowest:
        raise VectorError("a contrast needs a gain that makes a difference between 0 and 1")
    return max(0.0, min(1.0, (_sigmoid(x, gain, mid) - lowest) / (highest - lowest)))


def _quantised(number: float, scale: float) -> int:
    curved = math.pow(min(abs(number), scale) / scale, GAMMA)
    return max(-_LARGEST, min(_LARGEST, _rounded((-curved if number < 0 else curved) * _LARGEST)))


def _rounded(number: float) -> int:
    """Round with halves going up, also below zero; adding a half first would lose bits just below it."""
    whole = math.floor(number)
    return whole + 1 if number - whole >= 0.5 else whole


@lru_cache(maxsize=16)  # the same for every post of a cycle
def _ends(gain: float, mid: float) -> tuple[float, float]:
    """Return the sigmoid of 0 and of 1."""
    return _sigmoid(0.0, gain, mid), _sigmoid(1.0, gain, mid)


def _sigmoid(x: float, gain: float, mid: float) -> float:
    steep = max(-_STEEPEST, min(_STEEPEST, (x - mid) * gain))
    if steep >= 0:
        return 1.0 / (1.0 + exponential(-steep))
    power = exponential(steep)
    return power / (1.0 + power)


_DECODED: Decoded = np.array([*(-magnitude for magnitude in MAGNITUDES[:0:-1]), *MAGNITUDES])
"""What each byte from -127 to 127 stands for."""

_ROUGHLY: NDArray[np.float32] = np.array([*MAGNITUDES, 0, *(-one for one in MAGNITUDES[:0:-1])], np.float32)
"""The same in single precision, in the order of unsigned bytes."""
