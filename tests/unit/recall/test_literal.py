"""The literal search: rare words count more, spellings meet, and a message without the answer wanted is no find."""

import pytest

from core.recall.answers import can_answer, holds_unit, unit_wanted, wanted_kinds
from core.recall.literal import Hit, Scoring, finds
from core.recall.words import sought_words
from tests.unit.recall.lines import ANALYSER


def found(question: str, *texts: str, by_character: frozenset[int] = frozenset(), among: int = 0) -> list[int]:
    """The numbers of the texts found, best first; `among`: in a conversation of so many messages."""
    words = sought_words(ANALYSER, question)
    terms = {term for word in words for term in word.terms}
    indexed = [terms & set(ANALYSER.index_terms(text)) for text in texts]
    scoring = Scoring(
        words=words,
        kinds=wanted_kinds(question),
        frequencies={term: sum(term in held for held in indexed) for term in terms},
        size=max(among, len(texts)),
    )
    hits = [
        Hit(order=number, text=text, terms=held, is_self=number in by_character)
        for number, (text, held) in enumerate(zip(texts, indexed, strict=True))
        if held
    ]
    return [scored.hit.order for scored in finds(scoring.ranked(hits))]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("引越しの話どうなった？", "来月引っ越すことになった"),
        ("お医者さんの名前なんだっけ", "新しい医者は「森」って名前"),
        ("かさの話したよね？", "傘を買った"),
        ("とまとの話したよね？", "トマトを植えた"),
        ("what colour was the fence I mentioned", "the fences are color 22 now"),
        ("did I tell you I ran to the lighthouse", "running to lighthouses is fun"),
        ("did I mention my mum's scarves", "mom lost a scarf"),
    ],
)
def test_spellings_and_forms_meet(question: str, text: str) -> None:
    assert found(question, "something else", text) == [1]


def test_a_message_with_more_of_the_words_goes_first() -> None:
    texts = ("柚子茶を買った", "大根のスープに生姜を入れた", "大根を買った")
    assert found("大根のスープに何入れたっけ", *texts)[0] == 1


def test_no_message_has_to_hold_every_word() -> None:
    assert found("かかとが取れた靴って何だっけ", "ブーツのかかとが取れた") == [0]


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    texts = (*("the garden is fine" for _ in range(20)), "the wasp is back")
    assert found("do you remember the wasp in the garden", *texts) == [20]


@pytest.mark.parametrize(
    ("question", "with_answer", "without"),
    [
        ("what's the ferry's name?", "the ferry is called Merle", "booked the ferry"),
        ("ギターはいくらした？", "ギターは三万円だった", "ギターを買った"),
        ("when is the swim?", "swimming on wednesday", "swimming is fun"),
        ("甥っ子は何歳だっけ", "甥っ子は五歳になった", "甥っ子が来た"),
        ("what's the drummer's number?", "the drummer's on 0209 4471", "the drummer is ill"),
        ("what time is the coach?", "the coach goes at half past nine", "the coach was full"),
    ],
)
def test_a_message_has_to_hold_the_kind_of_answer_wanted(question: str, with_answer: str, without: str) -> None:
    assert found(question, with_answer) == [0]
    assert found(question, without) == []


def test_what_a_person_said_goes_before_what_the_character_echoed() -> None:
    assert found("覚えてる？ 柚子の話", "柚子もらった", "柚子いいね", by_character=frozenset({1}))[0] == 0


def test_of_equals_the_newest_goes_first() -> None:
    assert found("did I mention the fox?", "saw a fox", "the fox is back") == [1, 0]


def test_too_many_that_are_alike_are_no_find() -> None:
    assert found("did I mention the fox?", *("the fox is back" for _ in range(4))) == []


def test_in_a_long_conversation_a_message_has_to_hold_more_of_the_question() -> None:
    question, text = "what did I say about the leak in the boiler", "the boiler is loud"
    assert found(question, text) == [0]
    assert found(question, text, among=10_000) == []


def test_in_a_large_archive_one_word_is_no_find_alone() -> None:
    question, text = "what's the cat called?", "the cat is called Miso"
    assert found(question, text) == [0]
    assert found(question, text, among=10_000) == []


def test_a_day_is_no_name() -> None:
    assert found("what's the cat called?", "our old cat went last Thursday") == []


def test_a_question_without_content_finds_nothing() -> None:
    assert sought_words(ANALYSER, "あれ何だっけ") == () or found("あれ何だっけ", "あれはあれ") == []
    assert found("what was that again?", "what was that again") == []


@pytest.mark.parametrize("question", ["どんな話だった？", "what was it about?", ""])
def test_most_questions_want_no_certain_kind(question: str) -> None:
    assert wanted_kinds(question) == ()
    assert not can_answer("anything", wanted_kinds(question))


def test_the_parts_of_a_compound_share_what_the_whole_is_worth() -> None:
    weights = {word.term: word.weight for word in sought_words(ANALYSER, "座椅子の話、したよね？")}
    assert weights["座"] + weights["椅子"] == 1.0


def test_what_kind_of_thing_is_asked_for_counts_little() -> None:
    weights = {word.term: word.weight for word in sought_words(ANALYSER, "which bird ate the cherries?")}
    assert weights["bird"] < weights["cherri"]


def test_one_that_counts_otherwise_is_told() -> None:
    assert unit_wanted("コンクール、何年出たっけ") == "年"
    assert unit_wanted("何色だっけ") == ""
    assert holds_unit("あれは三年前", "年")
    assert not holds_unit("三十日の便", "年")


@pytest.mark.parametrize(
    ("text", "kind", "holds"),
    [
        ("back AT 5 PM", "clock", True),
        ("the weather at home", "clock", False),
        ("monday or so", "when", True),
        ("in the commons", "when", False),
        ("来週の水曜に", "when", True),
        ("met Voss there", "name", True),
        ("met voss there", "name", False),
        ("The Free one", "money", True),
    ],
)
def test_an_answer_is_told_by_whole_words_however_they_are_written(text: str, kind: str, holds: bool) -> None:
    assert can_answer(text, (kind,)) is holds
