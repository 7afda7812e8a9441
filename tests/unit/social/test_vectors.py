"""The codec of vectors: exact against reference values, and well behaved on everything else."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.social.vectors import DIMENSIONS, VectorError, blend, contrast, cosine, decode, decode_roughly, encode, unit

REFERENCE: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(__file__).parents[2] / "golden" / "features.json").read_text("utf-8")
)

NUMBER = st.floats(-1e6, 1e6, allow_nan=False)
VECTOR = st.builds(lambda numbers, times: numbers * times, st.lists(NUMBER, max_size=24), st.integers(1, 30))
STORED = st.binary(min_size=DIMENSIONS, max_size=DIMENSIONS).map(
    lambda values: np.maximum(np.frombuffer(values, dtype=np.int8), -127)
)


def stored(values: list[int]) -> np.ndarray[Any, np.dtype[np.int8]]:
    return np.array(values, dtype=np.int8)


@pytest.mark.parametrize("case", REFERENCE["encode"])
def test_vectors_are_stored_as_the_reference_stores_them(case: dict[str, Any]) -> None:
    assert encode(case["input"]).tolist() == case["encoded"]


@pytest.mark.parametrize("case", REFERENCE["contrast"])
def test_contrast_is_that_of_the_reference(case: dict[str, Any]) -> None:
    assert contrast(case["x"], case["gain"], case["mid"]) == case["y"]


@pytest.mark.parametrize("case", REFERENCE["blend"])
def test_interests_blend_as_in_the_reference(case: dict[str, Any]) -> None:
    old = None if case["old"] is None else stored(case["old"])
    assert blend(stored(case["new"]), old, case["h"]).tolist() == case["stored"]


@pytest.mark.parametrize("case", REFERENCE["cosine"])
def test_vectors_compare_as_in_the_reference(case: dict[str, Any]) -> None:
    assert cosine(stored(case["a"]), stored(case["b"])) == case["decoded_cosine"]


JAVASCRIPTS_COSINES = (
    -0.02958866336907072, 0.08496997427140894, -0.09539984250028397, -0.034328986407049206, -0.037762915447057024,
)  # fmt: skip
"""Of the vectors below, computed with `Math.pow` and `Math.sqrt` by a JavaScript engine (V8)."""


@pytest.mark.parametrize(("number", "expected"), list(enumerate(JAVASCRIPTS_COSINES, start=1)))
def test_vectors_compare_as_javascript_compares_them_to_the_last_bit(number: int, expected: float) -> None:
    one = stored([(i * 37 * number + 11 * number) % 255 - 127 for i in range(DIMENSIONS)])
    other = stored([(i * i * 13 + number * 101 + i * 7) % 255 - 127 for i in range(DIMENSIONS)])

    assert cosine(one, other) == expected


def test_bytes_stand_for_the_inverse_of_the_curve() -> None:
    decoded = decode(stored([*range(128), *range(-127, 0)] + [0] * 257)).tolist()

    assert all(abs(decoded[byte] - (byte / 127) ** (1 / 0.7)) <= math.ulp(decoded[byte]) for byte in range(128))
    assert decoded[128:255] == [-decoded[byte] for byte in range(127, 0, -1)]


def test_a_missing_part_is_zero_and_what_is_too_long_is_cut() -> None:
    assert encode([0.5]).tolist() == [127] + [0] * 511
    assert encode([1.0] * 700).tolist() == [127] * 512


def test_nothing_at_all_is_a_zero_vector() -> None:
    assert encode([]).tolist() == [0] * 512


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_a_number_that_is_none_is_refused(bad: float) -> None:
    with pytest.raises(VectorError, match="not finite"):
        encode([0.1, bad])


def test_a_byte_that_is_never_stored_is_damage() -> None:
    with pytest.raises(VectorError, match="damaged"):
        decode(stored([-128] + [0] * 511))


def test_halves_are_rounded_up_also_below_zero() -> None:
    half = (0.5 / 127) ** (1 / 0.7)
    tied = [number for number in (half, np.nextafter(half, 1), np.nextafter(half, 0)) if number**0.7 * 127 == 0.5]
    assert tied, "there is no number that comes out as exactly a half"
    full = [1.0] * 100
    assert encode([*full, tied[0], -tied[0]]).tolist()[100:102] == [1, 0]


@given(VECTOR)
def test_any_vector_is_stored_in_512_bytes_of_the_range(numbers: list[float]) -> None:
    encoded = encode(numbers)
    assert encoded.shape == (DIMENSIONS,)
    assert encoded.min() >= -127


@given(VECTOR, st.floats(0.01, 1000))
def test_the_length_of_a_vector_makes_no_difference_but_for_rounding(numbers: list[float], factor: float) -> None:
    scaled = encode([number * factor for number in numbers])
    assert np.abs(encode(numbers).astype(int) - scaled.astype(int)).max() <= 1


@given(STORED)
def test_stored_numbers_come_back_in_order_and_sign(encoded: Any) -> None:
    decoded = decode(encoded)
    assert np.array_equal(np.argsort(decoded, kind="stable"), np.argsort(encoded, kind="stable"))
    assert np.array_equal(np.sign(decoded), np.sign(encoded))


@given(STORED)
def test_a_vector_is_most_like_itself_and_least_like_its_opposite(encoded: Any) -> None:
    expected = 1.0 if encoded.any() else 0.0
    assert cosine(encoded, encoded) == pytest.approx(expected)
    assert cosine(encoded, -encoded) == pytest.approx(-expected)


@given(STORED, STORED)
def test_an_interest_keeps_more_of_the_new_than_of_the_old(new: Any, old: Any) -> None:
    after = blend(new, old, 0.5)
    if new.any() and old.any() and abs(cosine(new, old)) < 0.9:
        assert cosine(after, new) > cosine(after, old)


def test_without_an_old_interest_the_new_one_is_stored_as_it_is() -> None:
    new = stored(REFERENCE["blend"][0]["new"])
    assert np.array_equal(blend(new, np.zeros(DIMENSIONS, dtype=np.int8), 0.5), blend(new, None, 0.5))


@given(st.floats(0, 1))
def test_contrast_keeps_the_order_and_the_ends(x: float) -> None:
    assert 0.0 <= contrast(x, 5, 0.75) <= contrast(min(1.0, x + 0.01), 5, 0.75) <= 1.0
    assert contrast(1.0, 5, 0.75) == 1.0


def test_contrast_without_gain_is_refused() -> None:
    with pytest.raises(VectorError, match="gain"):
        contrast(0.5, 0, 0.75)


def test_a_unit_vector_has_length_one_and_zero_stays_zero() -> None:
    assert np.linalg.norm(unit(np.array([3.0, 4.0]))) == pytest.approx(1.0)
    assert unit(np.zeros(3)).tolist() == [0, 0, 0]


def test_a_rough_decoding_is_the_exact_one_in_single_precision() -> None:
    stored = np.arange(-127, 128, dtype=np.int8)
    rough = np.empty(len(stored), np.float32)

    decode_roughly(stored, into=rough)

    assert rough.tolist() == decode(stored).astype(np.float32).tolist()
    with pytest.raises(VectorError):
        decode_roughly(np.array([-128], np.int8), into=rough[:1])
