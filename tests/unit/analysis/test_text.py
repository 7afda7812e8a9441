import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.text import fold


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("ＡＢＣ１２３", "ABC123"),
        ("ｶﾞｰﾙ", "ガール"),
        ("すごーーーい", "すごーい"),
        ("わ〜〜〜い", "わ〜い"),
        ("死\u200bに\u2060たい", "死にたい"),
        ("a\u202eb\ufeffc", "abc"),
        ("❤\ufe0f", "❤"),
        ("いい", "いい"),
        ("", ""),
    ],
)
def test_differences_of_typing_are_folded(text: str, folded: str) -> None:
    assert fold(text) == folded


@given(st.text())
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert fold(fold(text)) == fold(text)
