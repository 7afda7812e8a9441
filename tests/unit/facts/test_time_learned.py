"""The learned second opinion behind the rules of the time guard."""

from pathlib import Path

import pytest

from core.facts.time_claims import find_activity_claims, find_time_claims
from core.facts.time_claims.learned.layer import ClaimLayerError, load


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("夜だからこそ言える秘密、ひとつ", "night"),
        ("the evening's soft enough for a silly question, so here goes", "evening"),
        ("Mornings like this one were made for anagrams", "morning"),
    ],
)
def test_what_no_rule_takes_for_the_present_is_found_under_a_name_of_its_own(text: str, value: str) -> None:
    assert [(claim.value, claim.rule.endswith(".learned")) for claim in find_time_claims(text)] == [(value, True)]


@pytest.mark.parametrize(
    "text",
    [
        "「朝」という漢字、月が隠れてるの気づいてた？",
        "夜行列車の寝台、上と下どっちが好き？",
        "a march is a walk and a month",
        "",
    ],
)
def test_words_for_times_that_are_spoken_about_are_left_alone(text: str) -> None:
    assert find_time_claims(text) == ()


def test_a_doing_that_no_rule_can_place_is_the_whole_sentence() -> None:
    text = "ねえ聞いて。箸が片方しか見つからない。"
    (claim,) = find_activity_claims(text)
    assert (text[claim.start : claim.end], claim.rule) == ("箸が片方しか見つからない", "ja.activity.learned")


def test_damaged_weights_are_refused_with_the_reason(tmp_path: Path) -> None:
    file = tmp_path / "layer.npz"
    file.write_bytes(b"no weights")
    with pytest.raises(ClaimLayerError, match=r"layer\.npz"):
        load(file)
