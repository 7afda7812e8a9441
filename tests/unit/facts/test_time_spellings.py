"""Times and days in other letters."""

import pytest

from core.facts.time_claims import find_time_claims
from core.facts.time_claims.folding import fold
from core.facts.time_claims.spellings import unified


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("もうどようびだね", "もう土曜日だね"),
        ("げつようって", "げつようって"),
        ("げつようか", "月曜日か"),
        ("土よう日だ", "土曜日だ"),
        ("じゅうにじはんだよ", "12時半だよ"),
        ("いまくじだよ", "いま9時だよ"),
        ("ごじ半だね", "5時半だね"),
        ("ごごさんじすぎ", "午後3時すぎ"),
        ("じゅうよじにじゅうごふんだよ", "14時25分だよ"),
        ("9じだよ", "9時だよ"),
        ("じゅうにがつついたちだよ", "12月1日だよ"),
        ("it's fri, yay", "it's friday, yay"),
        ("fri-yay", "friday"),
        ("14:20 nao", "14:20 now"),
        ("mornin' pet", "morning pet"),
        ("wkend", "weekend"),
        ("sat afternoon, then", "saturday afternoon, then"),
        ("I sat down", "i sat down"),
        ("いま3.15。", "いま3:15。"),
        ("いま3.15倍", "いま3.15倍"),
        ("一六〇八、異常なし", "一六時〇八分、異常なし"),
        ("1700、定時連絡", "17時00分、定時連絡"),
        ("1945、という年", "1945、という年"),
    ],
)
def test_a_word_gets_its_usual_letters(text: str, expected: str) -> None:
    assert unified(fold(text)).text == expected


@pytest.mark.parametrize(
    "text",
    [
        "くじ運がいい",
        "にじがきれい",
        "感じだね",
        "まじで",
        "ごはんじゃなくて",
        "it's sat on the shelf",
        "sunny",
        "三日坊主",
    ],
)
def test_other_words_keep_theirs(text: str) -> None:
    assert unified(fold(text)).text == text


def test_a_claim_stands_where_the_word_was_written() -> None:
    text = "ねえ、もうどようびだよ"
    (claim,) = find_time_claims(text)
    assert (claim.value, text[claim.start : claim.end]) == ("saturday", "どようび")
