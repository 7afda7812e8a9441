import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.language_model.answer import ThoughtFilter


def filtered(*pieces: str) -> str:
    thoughts = ThoughtFilter()
    return "".join([*(thoughts.take(piece) for piece in pieces), thoughts.rest()])


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Hello", "Hello"),
        ("<think>hm</think>Hello", "Hello"),
        ("\n<think>\nhm < or > ?\n</think>\n\nHello", "Hello"),
        ("I <think> so", "I <think> so"),
        ("<thin ice>", "<thin ice>"),
        ("<", "<"),
        ("<think>no end", ""),
        ("<think>hm</think>", ""),
        ("", ""),
    ],
)
def test_only_thoughts_before_the_answer_are_taken_out(text: str, shown: str) -> None:
    assert filtered(text) == shown
    assert filtered(*text) == shown


@given(st.lists(st.text(alphabet="<>/think a\n", max_size=8)))
def test_cutting_into_pieces_changes_nothing(pieces: list[str]) -> None:
    assert filtered(*pieces) == filtered("".join(pieces))


def test_text_without_thoughts_is_passed_on_at_once() -> None:
    assert ThoughtFilter().take("H") == "H"
