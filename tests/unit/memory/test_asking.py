"""Only what is asked for in so many words is found, and it is found as it was written."""

import pytest

from core.memory.asking import LONGEST_FACT, asked_to_keep

ASKED = {
    "Please remember that I have two cats.": "I have two cats",
    "remember I'm allergic to nuts": "I'm allergic to nuts",
    "Hinata, don't forget my birthday is July 4": "my birthday is July 4",
    "Can you remember that my sister lives in Osaka?": "my sister lives in Osaka",
    "I'm vegan, please remember that!": "I'm vegan",
    "I'm moving to Kyoto in May. Don't forget that.": "I'm moving to Kyoto in May",
    "Good morning! Remember: I hate coriander": "I hate coriander",
    "could you keep in mind that I work nights?": "I work nights",
    "I want you to remember that I play the cello": "I play the cello",
    "so don't forget I can't eat eggs, okay?": "I can't eat eggs",
    "oh and remember my name is Ken": "my name is Ken",
    "猫が2匹いるの、覚えておいてね": "猫が2匹いる",
    "私の誕生日は7月4日だって覚えておいて": "私の誕生日は7月4日だ",
    "覚えておいて、卵アレルギーなんだ": "卵アレルギーなんだ",
    "好きな色は青だよ。覚えといて！": "好きな色は青だよ",
    "来月京都に引っ越すから覚えておいてください": "来月京都に引っ越す",
    "これ覚えておいてほしいんだけど、私は左利き": "私は左利き",
    "私が猫派だということを忘れないでね": "私が猫派だ",
    "僕は夜勤だから、覚えててくれる？": "僕は夜勤",
    "甘いものが苦手なこと、覚えておいてもらえますか？": "甘いものが苦手",
    "おはよう。弟の名前はハルト。忘れないでね": "弟の名前はハルト",
    "メモしておいて：車は青": "車は青",
    "コーヒーはブラック派です、覚えておいて下さい😊": "コーヒーはブラック派です",
}
NOT_ASKED = [
    "I have two cats",
    "Do you remember my cats?",
    "I can't remember that song",
    "remember to buy milk",
    "Don't forget to sleep",
    "don't forget the milk",
    "remember when we met?",
    "Remember me?",
    "I have two cats, remember?",
    "remember that time we got lost?",
    "I remember that I had a cat",
    "She said remember that I love you",
    "You don't remember I have cats, do you?",
    "he told me not to forget that I owe him",
    "猫が2匹いる",
    "覚えてる？",
    "昨日の話、覚えてる？",
    "母に覚えておいてって言われた",
    "彼が「覚えておいて」と言ってた",
    "傘を忘れないで",
    "覚えておいてくれてありがとう",
    "覚えておいてくれたの？",
    "覚えておかなくていいよ",
    "私のこと忘れないで",
    "約束、忘れないでね",
    "英単語を覚えておいたほうがいい？",
    "これ覚えておいて",
    "remember that",
    "",
]


@pytest.mark.parametrize(("text", "wish"), ASKED.items())
def test_what_is_asked_for_is_found_as_it_was_written(text: str, wish: str) -> None:
    assert asked_to_keep(text) == wish
    assert wish in text


@pytest.mark.parametrize("text", NOT_ASKED)
def test_nothing_is_kept_that_nobody_asked_for(text: str) -> None:
    assert asked_to_keep(text) is None


def test_what_is_too_long_for_a_note_is_none() -> None:
    assert asked_to_keep(f"remember that I like {'x' * (LONGEST_FACT - 7)}") is not None
    assert asked_to_keep(f"remember that I like {'x' * (LONGEST_FACT - 6)}") is None


def test_what_is_told_may_be_long_and_stand_far_from_the_request() -> None:
    told = "I work at the " + "very " * 30 + "old harbour"

    assert asked_to_keep(f"{told}{' ' * 3000}, please remember that!") == told
    assert asked_to_keep("x" * 500 + "\n" * 3000 + "Remember that I live in Oslo.") == "I live in Oslo"


def test_of_very_many_requests_the_first_are_looked_at() -> None:
    assert asked_to_keep("傘を忘れないで。" * 400) is None
    assert asked_to_keep("Remember, remember, remember. " * 100) is None
