import pytest

from bot.discord.address import address_of, is_called
from core.values import Address

NAMES = ("ひなた", "陽向", "Hinata")

CALLS = [
    "ひなた",
    "ひなた、今日どう？",
    "ひなた！",
    "ひなたー",
    "ひなた〜",
    "ひなた 聞いて",
    "ひなたちゃん聞いて",
    "ひなたさん、質問です",
    "ひなたさんは何が好き？",
    "ひなたは何してるの？",
    "ひなたちゃんのおすすめは？",
    "ねえひなた",
    "ねえ、ひなた、今日さ",
    "おはようひなた！",
    "おやすみ、ひなたちゃん",
    "今日は疲れたよ。ひなた、聞いてくれる？",
    "ありがとう、ひなた😊",
    "陽向さん、こんばんは",
    "ﾋﾅﾀじゃなくてひなた、お願い\nひなた？",
    "Hinata, are you there?",
    "hinata",
    "hey hinata what's up",
    "Hi Hinata!",
    "thanks, Hinata.",
    "What do you think, Hinata?",
    "is that right hinata?",
    "Good morning Hinata",
    "hinataちゃん聞いて",
    "ねえhinata、元気？",
    "Hinata-chan, look at this",
    "HINATA!!!",
    "Hinata this is fun",
    "Hinata let's go",
    "Hinata what's up",
]
NO_CALLS = [
    "",
    "ひなたぼっこしたいな",
    "ひなたぼっこは好き？",
    "昨日ひなたが好きって言ってた",
    "ひなたの家に行った",
    "あのひなたの猫、かわいかったな",
    "日向で昼寝",
    "I met Hinata yesterday",
    "Hinata's song is great",
    "Hinata said no",
    "Hinata likes moss",
    "hinatabokko is nice",
    "https://example.org/hinata",
    "see `hinata, run` there",
    "> ひなた、おはよう\n誰の言葉だっけ",
    "おはよう、みんな",
    "my name is Shinata, hello",
]


@pytest.mark.parametrize("text", CALLS)
def test_the_name_called_out_is_a_call(text: str) -> None:
    assert is_called(text, NAMES)


@pytest.mark.parametrize("text", NO_CALLS)
def test_the_name_talked_about_or_within_a_word_is_no_call(text: str) -> None:
    assert not is_called(text, NAMES)


def test_a_name_with_signs_of_regular_expressions_is_taken_literally() -> None:
    assert is_called("C+3, hello", ["C+3"])
    assert not is_called("CCC3, hello", ["C+3"])


def test_no_names_and_empty_names_call_nobody() -> None:
    assert not is_called("hello", [])
    assert not is_called("hello", ["", " "])


@pytest.mark.parametrize(
    ("private", "mentioned", "answers", "text", "expected"),
    [
        (True, True, True, "ひなた", Address.DM),
        (False, True, True, "ひなた", Address.MENTION),
        (False, False, True, "ひなた", Address.REPLY),
        (False, False, False, "ひなた", Address.NAME),
        (False, False, False, "みんな", Address.NONE),
    ],
)
def test_the_plainest_way_of_being_spoken_to_counts(
    private: bool, mentioned: bool, answers: bool, text: str, expected: Address
) -> None:
    found = address_of(private=private, mentioned=mentioned, answers_character=answers, text=text, names=NAMES)
    assert found is expected
