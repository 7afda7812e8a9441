import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.turn.sentences import finished_length


@pytest.mark.parametrize(
    ("text", "finished"),
    [
        ("", ""),
        ("こんにちは", ""),
        ("こんにちは。", ""),
        ("こんにちは。元気", "こんにちは。"),
        ("「そうだね。」って言って", "「そうだね。」"),
        ("Hi there. How", "Hi there."),
        ("It costs 3.50 and", ""),
        ("See e.g", ""),
        ("Really?! Yes", "Really?!"),
        ("one\ntwo", "one\n"),
        ("すごい！ほんと？うん", "すごい！ほんと？"),
    ],
)
def test_a_sentence_is_finished_once_something_follows_it(text: str, finished: str) -> None:
    assert text[: finished_length(text)] == finished


@given(st.text(alphabet="あいう。！. \n」ab", max_size=60), st.integers(0, 60))
def test_what_was_finished_stays_finished_as_the_text_grows(text: str, cut: int) -> None:
    assert finished_length(text[:cut]) <= finished_length(text)


def test_a_text_of_dots_is_read_at_once() -> None:
    assert finished_length("." * 1_000_000 + "x") == 0
