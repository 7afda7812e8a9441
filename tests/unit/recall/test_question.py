"""Which texts ask for what was said before."""

import re
import tomllib
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.recall.question import Asking, RecallQuestion, read_question
from tests.evals.recall.asking import load_lines
from tests.unit.recall.lines import question_lines, recall_lines, recall_pairs

OUTRIGHT, POINTED, NOT = Asking.OUTRIGHT, Asking.POINTED, Asking.NOT


def asking(text: str) -> Asking:
    return read_question(text).asking


@pytest.mark.parametrize("line", question_lines(), ids=lambda line: line["id"])
def test_labelled_texts_are_told_apart(line: dict[str, object]) -> None:
    assert read_question(str(line["text"])).is_asked == line["asks"]


def test_nearly_every_question_about_an_archive_is_one() -> None:
    missed = [line.question for line in recall_lines() if not read_question(line.question).is_asked]
    assert len(missed) <= 2, missed


def test_nearly_every_paraphrase_that_asks_for_a_message_is_a_question() -> None:
    questions = [pair["question"] for hand, pair in recall_pairs() if hand == "fourth"]
    missed = [question for question in questions if not read_question(question).is_asked]
    assert len(missed) <= 0.03 * len(questions), missed


@pytest.mark.parametrize(
    "text",
    [
        "かかりつけの歯医者、何て先生やったかねえ",
        "息子の担任、名字なんやったろ",
        "保険の担当、男の人だったか女の人だったか",
    ],
)
def test_a_question_in_words_of_no_pattern_is_told_by_its_pieces(text: str) -> None:
    assert asking(text) is POINTED


def test_what_is_told_by_pieces_alone_asks_with_the_clause_that_asks() -> None:
    found = read_question("ねえ。息子の担任、名字なんやったろ")

    assert found == RecallQuestion(POINTED, "息子の担任、名字なんやったろ")


def test_ordinary_turns_are_seldom_taken_for_questions() -> None:
    asked = sum(read_question(line.text).is_asked for line in load_lines() if not line.asks)

    assert asked <= 0.05 * sum(not line.asks for line in load_lines())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("前に話した本、なんだっけ", OUTRIGHT),
        ("あれどうなったっけ", OUTRIGHT),
        ("それいつ言ったっけ", OUTRIGHT),
        ("おぼえとる？", OUTRIGHT),
        ("前に教えてもろた店、なんて言うてたっけ", OUTRIGHT),
        ("式はいつ？", POINTED),
        ("明日は何する？", NOT),
        ("覚えておいてね", NOT),
        ("バブルのころ覚えてる？", NOT),
        ("今日って何曜日だっけ", NOT),
        ("do you remember what I said about the flat?", OUTRIGHT),
        ("what was that thing I said about the flat", OUTRIGHT),
        ("when did I tell you about it?", OUTRIGHT),
        ("d'you rmbr my cat", OUTRIGHT),
        ("Do you remember the 90s?", NOT),
        ("do you remember when phones had buttons?", NOT),
        ("remember to eat!", NOT),
        ("when's bin day now?", POINTED),
        ("what's the meaning of life?", NOT),
        ("how are you?", NOT),
        ("髪染めたとき、先生なんて言ったっけ笑", OUTRIGHT),
        ("数学ってどこ白紙で出したんだっけ…", OUTRIGHT),
        ("納豆ばっかの日、あったよな？", OUTRIGHT),
        ("鍵の番号、申し上げましたでしょうか", OUTRIGHT),
        ("口ん中やけどしたの、何のせいだったべ", OUTRIGHT),
        ("今年頼んだの何だったか", POINTED),
        ("海の話をした友人、どなたでしたか", POINTED),
        ("whit was the joke ah had for the speech", OUTRIGHT),
        ("how's the horse since she was poorly", POINTED),
        ("what's book club picked this time", POINTED),
        ("someone i taught turned up, what does he do now?", POINTED),
        ("そっけない返事だった", NOT),
        ("ほっけ焼いた", NOT),
        ("みんなに手紙を書き終えた。", NOT),
        ("how's it going?", NOT),
        ("pray for my widow, who's a cactus", NOT),
        ("", NOT),
        ("？", NOT),
    ],
)
def test_registers_and_their_look_alikes(text: str, expected: Asking) -> None:
    assert asking(text) is expected


def test_the_part_that_asks_is_found_among_others() -> None:
    question = read_question("今日もつかれた。前に言ってた整体ってどこだっけ？ 眠い。")

    assert question.asking is OUTRIGHT
    assert question.clause == "前に言ってた整体ってどこだっけ?"


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ("what hotel am i in? pretty sure i told you", "what hotel am i in? pretty sure i told you"),
        ("hello. what's the rent? did i mention it", "what's the rent? did i mention it"),
        ("会社の名前は？前に言ったよね", "会社の名前は? 前に言ったよね"),
        ("do you remember? the fox", "do you remember? the fox"),
    ],
)
def test_a_part_that_says_not_what_for_takes_its_neighbour_along(text: str, clause: str) -> None:
    assert read_question(text).clause == clause


def test_what_asks_outright_goes_before_what_is_merely_pointed() -> None:
    assert read_question("do you remember my cat? when's the vet?").clause == "do you remember my cat?"


@pytest.mark.parametrize(
    ("text", "wants"),
    [
        ("それどこで言ったっけ", True),
        ("その発言のリンクちょうだい", True),
        ("where did I say that?", True),
        ("which message was that in?", True),
        ("どこの店って言ったっけ", False),
        ("where did I park, do you remember?", False),
    ],
)
def test_whether_the_place_of_a_message_is_asked_for(text: str, wants: bool) -> None:
    assert read_question(text).wants_place is wants


@pytest.mark.parametrize("text", ["What time did I say?", "do you REMEMBER my sister?", "WHEN'S MY APPOINTMENT AGAIN?"])
def test_capitals_change_nothing(text: str) -> None:
    assert asking(text) is asking(text.lower()) is not NOT


def test_english_patterns_have_no_capitals_that_nothing_could_match() -> None:
    tables = tomllib.loads((files("core.recall.patterns") / "question.toml").read_text("utf-8"))
    english = [pattern for what, table in tables.items() if what != "spelled" for pattern in table["en"]]
    assert [pattern for pattern in english if re.search(r"(?<!\\)[A-Z]", pattern)] == []


def test_a_text_without_end_is_no_question() -> None:
    assert asking("覚えてる" * 200 + "？") is NOT


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    question = read_question(text)
    assert question.is_asked == bool(question.clause)


@pytest.mark.parametrize("said", ["i said " * 40, "なんなん" * 40, "いって" * 60, "ました" * 60])
def test_a_part_that_could_be_split_in_many_ways_is_read_at_once(said: str) -> None:
    clause = f"{said}xyz、覚えてる？" if said[-1] != " " else f"{said}xyz, remember?"
    assert asking(f"we talked. {clause}") is OUTRIGHT


@pytest.mark.parametrize("said", ["so , " * 70, "right , now , " * 25])
def test_a_beginning_that_could_be_split_in_many_ways_is_read_at_once(said: str) -> None:
    assert asking(f"{said}x?") is NOT


def test_of_a_long_neighbour_only_so_much_is_taken_along() -> None:
    clause = read_question("we walked " * 300 + "to the lake. I told you before, remember?").clause
    assert clause.endswith("to the lake. I told you before, remember?")
    assert len(clause) < 500


@pytest.mark.parametrize("opening", ["ok ", "so, ", "hey and "])
def test_a_long_row_of_openings_is_read_at_once(opening: str) -> None:
    assert asking(opening * 40 + "hmm") is NOT
    assert asking(opening * 2 + "when is my dentist appointment?") is POINTED
