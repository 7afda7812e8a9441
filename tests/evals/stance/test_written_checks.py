"""The written checks that real models are judged by, held against the labels by hand."""

import pytest

from core.stance.evaluation.axes import Axis
from core.values import Locale
from tests.evals.stance.calibration import Agreement, agreements


@pytest.fixture(scope="module")
def found() -> dict[tuple[Locale, Axis], Agreement]:
    return agreements()


def test_the_checks_object_to_hardly_any_reply_that_breaks_nothing(
    found: dict[tuple[Locale, Axis], Agreement],
) -> None:
    assert {key: agreement.objected.share for key, agreement in found.items() if agreement.objected.share > 0.02} == {}


def test_the_checks_catch_a_good_part_of_what_is_labelled(found: dict[tuple[Locale, Axis], Agreement]) -> None:
    assert {key: agreement.caught.share for key, agreement in found.items() if agreement.caught.share < 0.3} == {}
