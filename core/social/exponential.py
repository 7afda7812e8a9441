"""The exponential function as JavaScript engines compute it, so that figures equal the reference's to the last bit.

The method is that of fdlibm: x = k·ln 2 + r with |r| ≤ ln 2 / 2, and exp(r) by a rational approximation. Where the last
bit is rounded the other way than in the C library of this machine is about one number in ten.
"""

import math

_LN2_HIGH, _LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
"""ln 2 in two parts: k times the first is exact."""
_HALF_LN2 = 0.5 * math.log(2.0)
_COEFFICIENTS = (
    4.13813679705723846039e-08,
    -1.65339022054652515390e-06,
    6.61375632143793436117e-05,
    -2.77777777770155933842e-03,
    1.66666666666666019037e-01,
)
"""Of the polynomial in r², the highest power first."""


def exponential(x: float) -> float:
    """Return e to the power of x, for x from -700 to 700."""
    doublings = _doublings(x)
    high, low = x - doublings * _LN2_HIGH, doublings * _LN2_LOW
    rest = high - low
    square = rest * rest
    polynomial = 0.0
    for coefficient in _COEFFICIENTS:
        polynomial = coefficient + square * polynomial
    correction = rest - square * polynomial
    if doublings == 0:
        return 1.0 - ((rest * correction) / (correction - 2.0) - rest)
    return math.ldexp(1.0 - ((low - (rest * correction) / (2.0 - correction)) - high), doublings)


def _doublings(x: float) -> int:
    if abs(x) <= _HALF_LN2:
        return 0
    if abs(x) < 3 * _HALF_LN2:
        return 1 if x > 0 else -1
    return int(x / math.log(2.0) + math.copysign(0.5, x))
