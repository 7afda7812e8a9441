"""How a text is read before rules look at it."""

from hypothesis import given
from hypothesis import strategies as st

from core.proactive.claims.reading import sentences


def texts(text: str) -> list[str]:
    return [sentence.text for sentence in sentences(text)]


def test_a_text_is_cut_at_its_signs_and_those_that_ask_are_known() -> None:
    found = list(sentences("Hi! It costs 3.50. Really?　そう？うん。"))

    assert [sentence.text for sentence in found] == ["hi!", "it costs 3.50.", "really?", "そう?", "うん。"]
    assert [sentence.asks for sentence in found] == [False, False, True, True, False]


def test_half_of_the_day_ends_no_sentence() -> None:
    assert texts("At 6 p.m. we eat.") == ["at 6 p.m. we eat."]


def test_quotations_are_blank_unless_there_is_little_else() -> None:
    assert "お疲れ" not in texts("「お疲れさま」って言葉、好き。")[0]
    assert texts("「お疲れさま」") == ["「お疲れさま」"]


def test_one_spelling_stands_for_many_and_the_way_back_is_kept() -> None:
    text = "Ｈｉ\u200b　ｶﾞ！ It’s"
    (first, second) = sentences(text)

    assert first.text == "hi ガ!"
    assert text[slice(*first.span(3, 4))] == "ｶﾞ"
    assert second.text == "it's"


@given(st.text(max_size=60))
def test_every_part_of_a_sentence_stands_somewhere_in_the_text(text: str) -> None:
    for sentence in sentences(text):
        assert len(sentence.origins) == len(sentence.text)
        start, end = sentence.span(0, len(sentence.text))
        assert 0 <= start < end <= len(text)
