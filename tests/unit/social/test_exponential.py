"""The exponential of the reference's engine."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.social.exponential import exponential

# From a JavaScript engine; the C library rounds every one of these the other way.
DIFFERENT = (
    (-1.5240716934204102, 0.2178231697210108),
    (-0.863490104675293, 0.42168777659301837),
    (-4.356532096862793, 0.012822778787749161),
    (-0.8636325597763062, 0.42162770929675575),
    (-2.5224867463111877, 0.08025977269053255),
    (-2.2434085607528687, 0.10609625183005694),
    (-2.4401992559432983, 0.08714348587446027),
    (-3.0477774143218994, 0.047464300718802324),
    (-0.43114006519317627, 0.6497678945351268),
    (-0.4372835159301758, 0.6457883141789338),
    (-2.2661229968070984, 0.10371349919018713),
    (-4.304237365722656, 0.013511185707021239),
)


@pytest.mark.parametrize(("x", "expected"), DIFFERENT)
def test_the_last_bit_is_rounded_as_in_the_reference(x: float, expected: float) -> None:
    assert exponential(x) == expected


@given(st.floats(-700, 700))
def test_it_is_the_exponential_function(x: float) -> None:
    assert exponential(x) == pytest.approx(math.exp(x), rel=4e-16)
