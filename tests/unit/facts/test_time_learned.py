"""The learned second opinion behind the rules of the time guard."""

from pathlib import Path

import pytest

from core.facts.time_claims import find_activity_claims, find_time_claims
from core.facts.time_claims.learned.layer import ClaimLayerError, load, shipped
from core.facts.time_claims.learned.opinion import doing_features
from core.facts.time_claims.learned.sentences import DOING, doing_scores
from core.facts.time_claims.rules import LOCALES
from tests.unit.facts.labelled import own_cases


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


@pytest.mark.parametrize("locale", LOCALES)
def test_many_sentences_at_once_score_as_each_does_by_its_features(locale: str) -> None:
    lines = [line["text"] for line in own_cases() if line["lang"] == locale][::3]
    texts = [*lines, "", "5", "a", "😀👨 12:30だ", "^ $ - ' like-", "ﾀﾞ12345"]
    half = shipped()[DOING, locale]
    assert doing_scores(texts, locale) == [half.score(doing_features(text, locale)) for text in texts]


def test_no_sentence_has_no_score() -> None:
    assert doing_scores([], "ja") == []


def test_damaged_weights_are_refused_with_the_reason(tmp_path: Path) -> None:
    file = tmp_path / "layer.npz"
    file.write_bytes(b"no weights")
    with pytest.raises(ClaimLayerError, match=r"layer\.npz"):
        load(file)
