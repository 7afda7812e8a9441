import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.language_model.tokens import cut_to_tokens, estimate_tokens


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("こんにちは", 5), ("hello world", 3), ("猫 and 犬", 4)])
def test_estimate_follows_the_script(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


@given(st.text(max_size=300), st.integers(min_value=0, max_value=100))
def test_cut_text_is_the_longest_beginning_that_fits(text: str, tokens: int) -> None:
    cut = cut_to_tokens(text, tokens)
    assert text.startswith(cut)
    assert estimate_tokens(cut) <= tokens
    assert cut == text or estimate_tokens(text[: len(cut) + 1]) > tokens
