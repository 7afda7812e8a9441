"""Background is no second clock."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.lore.lasting import lasting, passing


@pytest.mark.parametrize(
    "sentence",
    [
        "It is 14:30.",
        "It's Monday.",
        "The shop opens at 9:00.",
        "It is raining right now.",
        "Tonight the moon is full.",
        "いまは午後2時半です。",
        "今日は月曜日です。",
        "今夜は祭りだ。",
        "店は9時に開く。",
    ],
)
def test_what_names_a_time_or_the_present_is_left_out(sentence: str) -> None:
    assert lasting(f"{sentence} Ada is old.") == "Ada is old."
    assert passing(f"Ada is old. {sentence}") == (sentence,)


@pytest.mark.parametrize(
    "text",
    ["Ada is old. She rules Grey Quay.", "アダは老いている。港を治める。", "The fair lasts three days.\n\nIt is loud."],
)
def test_what_lasts_stays_as_it_stands(text: str) -> None:
    assert lasting(text) == text
    assert passing(text) == ()


@given(st.text(max_size=200))
def test_every_text_is_taken(text: str) -> None:
    assert set(passing(lasting(text))) == set()
