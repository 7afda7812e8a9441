"""Spellings the index doesn't know: slips of the hand, joined and parted words, kana."""

import pytest

from core.recall.search import Recall
from tests.unit.recall.test_search import Desk, ids

TALK = ("good morning", "rain again", "lunch was soup", "おはよう", "雨だね", "今日は何もしてない")


async def found(question: str, *texts: str) -> list[int]:
    desk = Desk()
    await desk.add(*texts, *TALK)
    return ids(await desk.ask(question))


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("what was the dermatolgist called again?", "the dermatologist is called Dr Voss"),
        ("do you remember the lighthouse trip?", "booked the lighthosue trip for may"),
        ("do you remember the accomodation in Bergen?", "the accommodation in Bergen has a sauna"),
        ("did I mention the check-in?", "checkin is at three"),
        ("did I mention checkin?", "check-in is at three"),
        ("what did I say about the notebook?", "left my note book on the train"),
        ("did I tell you about the e-mail?", "the email never arrived"),
        ("コレストロールの話、したよね？", "健康診断でコレステロール高めって言われた"),
        ("自転車の話、したよね？", "じてんしゃのタイヤがパンクした"),
        ("プリンターの話、したっけ？", "プリンタが壊れた"),
        ("ヴァイオリンの話、したよね？", "バイオリンを習い始めた"),
        ("三千円って何に使ったっけ？", "3000円で花を買った"),
        ("引越の話、したよね？", "来月引っ越します"),
        ("ﾌﾟﾘﾝﾀｰの話、したっけ？", "プリンターが壊れた"),
        ("what did I say about the wolves?", "saw a wolf by the river"),
    ],
)
async def test_a_word_is_found_in_another_spelling(question: str, text: str) -> None:
    assert await found(question, text) == [1]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("do you remember my father?", "a feather fell from the roof"),
        ("do you remember the letter?", "changed the litter this morning"),
        ("did I mention the window?", "she is a widow"),
        ("did I tell you about the horse?", "the house is cold"),
        ("スマートの話、したよね？", "明日スタートする"),
    ],
)
async def test_another_word_that_looks_alike_is_no_find(question: str, text: str) -> None:
    assert await found(question, text) == []


async def test_a_word_the_index_holds_is_looked_for_no_further(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk()
    await desk.add("the lighthouse", "the keeper", "the dog", *TALK)

    def read(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(Recall, "_read_closely", read)

    assert ids(await desk.ask("do you remember the lighthouse keeper's dog?", None)) == []
