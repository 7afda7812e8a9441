import pytest

from core.rates import Rate


def test_the_interval_of_a_difference_is_newcombes() -> None:
    # Newcombe (1998), interval estimation for the difference between independent proportions, table II, method 10.
    assert Rate(56, 70).minus(Rate(48, 80)) == pytest.approx((0.0524, 0.3339), abs=0.0001)
    assert Rate(9, 10).minus(Rate(3, 10)) == pytest.approx((0.1705, 0.8090), abs=0.0001)


def test_one_sample_decides_nothing() -> None:
    low, high = Rate(1, 1).minus(Rate(0, 1))
    assert low < 0 < high


def test_ten_against_ten_decide() -> None:
    low, high = Rate(10, 10).minus(Rate(0, 10))
    assert 0 < low < high <= 1
