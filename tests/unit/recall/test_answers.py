"""What kind of answer a message holds."""

import pytest

from core.recall.answers import can_answer, surely_answers

KINDS = ("money", "clock", "when", "age")


@pytest.mark.parametrize("figures", ["1", "1.", "一"])
def test_a_text_of_figures_is_read_at_once(figures: str) -> None:
    text = figures * 200_000
    assert can_answer(text, KINDS) is (figures == "1")  # So many figures may be a price.
    assert not surely_answers(text, ["when"])


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("it was 1,250.50 pounds", "money"),
        ("12,000 yen in the end", "money"),
        ("三万円だった", "money"),
        ("十二時から", "clock"),
        ("2019年の春", "when"),
        ("姉は三十二歳", "age"),
    ],
)
def test_numbers_of_several_figures_answer(text: str, kind: str) -> None:
    assert can_answer(text, [kind])
