import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.analysis.japanese import JapaneseAnalyser, sound_of
from core.ports import IndexTerms

ANALYSER = JapaneseAnalyser()


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("映画を見ている", ["映画", "見"]),
        ("ラーメンを食べてみたい", ["ラーメン", "食べ"]),
        ("きのう猫カフェに行った！", ["昨日", "猫", "カフェ", "行き"]),
        ("外国人参政権", ["外国", "人", "参政", "権"]),
        ("お金がないの？", ["金", "無い"]),
        ("お医者さんに聞く", ["医者", "聞き"]),
        ("勉強してるところ", ["勉強", "所"]),
        ("スマホでTwitter見てた", ["スマホ", "twitter", "見"]),
        ("ｺﾝﾋﾟｭｰﾀｰを買いました", ["コンピューター", "買い"]),
        ("I Didn’t see the Movies, sorry.", ["i", "didn't", "see", "the", "movi", "sorri"]),
        ("2025年の春", ["2025", "年", "春"]),
        ("２０２５／０３", ["2025", "03"]),
        ("한국어 공부", ["한국어", "공부"]),
        ("Straße", ["strass"]),
        ("python3とC言語", ["python3", "c", "言語"]),
        ("すごーーーい", ["凄い"]),
        ("コーヒー\u200bカップ", ["コーヒー", "カップ"]),
        ("「……！？」🎉 ✨", []),
        ("", []),
        (" \n ", []),
    ],
)
def test_text_is_indexed_under_its_content_words(text: str, terms: list[str]) -> None:
    assert [word.term for word in ANALYSER.index_words(text)] == terms


@pytest.mark.parametrize(
    ("written", "searched"),
    [
        ("引っ越しした", "引越し"),
        ("引っ越した", "引越し"),
        ("ひっこした", "引っ越し"),
        ("お医者さん", "医者"),
        ("打ち合わせ", "打合せ"),
        ("コンピュータ", "コンピューター"),
        ("ＡＢＣ", "abc"),
        ("colours", "color"),
        ("she rang", "ring"),
        ("the cats", "cat"),
        ("organising", "organized"),
    ],
)
def test_spellings_and_forms_of_one_word_share_a_term(written: str, searched: str) -> None:
    assert {word.term for word in ANALYSER.index_words(searched)} <= set(ANALYSER.index_terms(written))


@pytest.mark.parametrize(("written", "read"), [("傘", "かさ"), ("トマト", "とまと"), ("鯵", "アジ")])
def test_a_noun_is_found_by_how_it_is_read(written: str, read: str) -> None:
    assert sound_of(read) in ANALYSER.index_terms(written)


def test_words_know_where_they_stand() -> None:
    text = "昨日 the cats"
    for word in ANALYSER.index_words(text):
        assert text[word.start : word.start + len(word.written)] == word.written


def test_repeated_words_are_repeated_terms() -> None:
    assert ANALYSER.index_terms("猫と猫") == ["猫", "=ネコ", "猫", "=ネコ"]


def test_positions_point_into_the_text() -> None:
    text = "東京タワーに行きました"
    for word in ANALYSER.morphemes(text):
        assert text[word.start : word.end] == word.surface


def test_long_units_keep_names_whole() -> None:
    assert ANALYSER.beginnings("外国人参政権に") == [0, 6]


def test_text_longer_than_the_analyser_takes_at_once_is_indexed_whole() -> None:
    text = "猫が好き。" * 10_000
    assert ANALYSER.index_terms(text).count("猫") == 10_000
    words = ANALYSER.morphemes("あ" * 30_000)
    assert words[-1].end == 30_000


def test_a_long_text_is_cut_between_its_words() -> None:
    sentences = [f"昨日は図書館で本を{number}冊借りて、川沿いを歩いて帰った。" for number in range(40)]

    assert ANALYSER.index_terms("".join(sentences)) == [term for one in sentences for term in ANALYSER.index_terms(one)]
    assert ANALYSER.normalised_forms("".join(sentences)) == [
        form for one in sentences for form in ANALYSER.normalised_forms(one)
    ]


@settings(deadline=None)
@given(st.text())
def test_any_text_is_indexed_without_spaces_or_upper_case(text: str) -> None:
    for term in ANALYSER.index_terms(text):
        assert term
        assert term == term.casefold()
        assert not any(character.isspace() for character in term)


def test_several_threads_can_use_one_analyser() -> None:
    analyser = JapaneseAnalyser()
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(analyser.index_terms, ["映画を見ている"] * 64))
    assert results == [["映画", "=エイガ", "見"]] * 64


def test_it_is_an_index_terms_port() -> None:
    port: IndexTerms = ANALYSER.index_terms
    assert port("猫") == ["猫", "=ネコ"]


def test_importing_does_not_load_the_analyser() -> None:
    program = "import sys, core.analysis.japanese; sys.exit('sudachipy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_half_of_a_surrogate_pair_is_no_word() -> None:
    assert [word.start for word in ANALYSER.morphemes("今日\ud83dは")] == [0, 2, 3]
    assert ANALYSER.beginnings("今日\udc80は") == [0, 2, 3]
