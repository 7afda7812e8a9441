import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.discord.fences import find_fences
from bot.discord.graphemes import is_boundary
from bot.discord.splitting import LIMIT, split

FAMILY = "👩‍👩‍👧‍👦"


def squeeze(text: str) -> str:
    return re.sub(r"\s+", "", text)


def test_a_short_text_stays_one_message() -> None:
    assert split("やあ、元気？") == ["やあ、元気？"]


@pytest.mark.parametrize("blank", ["", " ", "\n\n \t"])
def test_a_blank_text_is_no_message(blank: str) -> None:
    assert split(blank) == []


def test_exactly_the_limit_is_one_message_and_one_more_is_two() -> None:
    assert [len(piece) for piece in split("あ" * LIMIT)] == [LIMIT]
    assert [len(piece) for piece in split("あ" * (LIMIT + 1))] == [LIMIT, 1]


def test_it_is_cut_between_paragraphs_rather_than_within_one() -> None:
    assert split("a b. c\n\nd e. f g h", limit=14) == ["a b. c", "d e. f g h"]


def test_it_is_cut_after_a_sentence_rather_than_at_a_space() -> None:
    assert split("One two. Three four five", limit=15) == ["One two.", "Three four five"]


def test_a_japanese_sentence_is_cut_behind_its_closing_bracket() -> None:
    assert split("「そうだね。」とても長い続き", limit=9) == ["「そうだね。」", "とても長い続き"]


def test_a_word_is_moved_whole_to_the_next_message() -> None:
    assert split("short incomprehensibilities", limit=21) == ["short", "incomprehensibilities"]


def test_a_word_longer_than_a_message_is_cut_but_kept() -> None:
    word = "x" * 45
    pieces = split(word, limit=20)
    assert "".join(pieces) == word
    assert [len(piece) for piece in pieces] == [20, 20, 5]


@pytest.mark.parametrize("character", [FAMILY, "🇯🇵", "👍🏽", "が", "❤️", "é", "각"])
def test_a_composed_character_is_never_cut(character: str) -> None:
    for offset in range(8):
        text = "あ" * offset + character * 30
        for piece in split(text, limit=23):
            assert squeeze(piece.lstrip("あ")).replace(character, "") == ""


def test_a_character_longer_than_a_message_is_still_sent() -> None:
    text = "e" + "\u0301" * 50
    assert "".join(split(text, limit=20)) == text


def test_a_fence_that_fits_is_moved_whole() -> None:
    fence = "```python\nprint(1)\n```"
    assert split(f"See this example:\n{fence}\nDone.", limit=30) == ["See this example:", f"{fence}\nDone."]


def test_a_fence_that_fits_nowhere_is_closed_and_reopened_with_its_language() -> None:
    body = "\n".join(f"line {number}" for number in range(12))
    pieces = split(f"```python title\n{body}\n```", limit=60)
    assert len(pieces) > 1
    assert all(piece.startswith("```python") and piece.endswith("\n```") for piece in pieces)
    lines = [line for piece in pieces for line in piece.split("\n")[1:-1]]
    assert lines == body.split("\n")


def test_a_fence_that_was_left_open_is_closed() -> None:
    assert split("```\ncode") == ["```\ncode\n```"]


def test_an_open_fence_that_would_only_just_fit_is_cut_so_that_its_end_fits_too() -> None:
    text = "```\n" + "\n".join(["abc"] * 20)
    for limit in range(20, len(text) + 6):
        pieces = split(text, limit=limit)
        assert all(len(piece) <= limit for piece in pieces)
        assert "\n".join("\n".join(piece.split("\n")[1:-1]) for piece in pieces).split("\n") == ["abc"] * 20


@pytest.mark.parametrize(
    "whole",
    [
        "[the long name](https://example.org/a(b)c)",
        "https://example.org/one/two?three=four",
        "`a b c d e f g h i j k`",
        "||a b c d e f g h i j||",
        "<@123456789012345678>",
        "**a b c d e f g h i j**",
    ],
)
def test_a_run_that_means_something_only_as_a_whole_is_not_cut(whole: str) -> None:
    for offset in range(1, 50):
        pieces = split("w " * offset + whole + " and the rest of it all", limit=60)
        assert any(whole in piece for piece in pieces)


def test_windows_line_ends_become_plain_ones() -> None:
    assert split("a\r\nb\rc") == ["a\nb\nc"]


prose = st.text(alphabet="ab cdé、。あい漢字カナ.!?\n👩‍👧🇯🇵\u0301`*|[](): ", max_size=120)
fenced = st.builds(
    lambda info, lines: "\n```" + info + "\n" + "\n".join(lines) + "\n```\n",
    st.sampled_from(["", "py", "c++", "a title"]),
    st.lists(st.text(alphabet="abc あ;👍🏽", max_size=60), max_size=12),
)
texts = st.lists(st.one_of(prose, fenced), max_size=6).map("".join)


@settings(max_examples=300, deadline=None)
@given(texts, st.integers(min_value=40, max_value=200))
@example("```\n" + "x" * 300 + "\n```", 40)
@example("```a first line too long to name a language, and so it is code\n\n```\ntext\n\n```\n\n```", 44)
@example("text\n```\n\n\n\n\n" + "\n" * 60 + "```\nafter", 40)
def test_every_piece_is_within_the_limit_not_blank_and_nothing_is_lost(text: str, limit: int) -> None:
    pieces = split(text, limit=limit)
    assert all(0 < len(piece) <= limit for piece in pieces)
    assert all(piece.strip() for piece in pieces)
    if find_fences(text):
        content = squeeze(re.sub(r"`", "", text))
        sent = squeeze(re.sub(r"`", "", "".join(pieces)))
        assert is_subsequence(content, sent)
    else:
        assert squeeze("".join(pieces)) == squeeze(text)


@settings(max_examples=200, deadline=None)
@given(st.lists(fenced, min_size=1, max_size=4).map("words between them\n".join), st.integers(40, 200))
def test_every_fence_is_closed_in_the_message_it_is_in(text: str, limit: int) -> None:
    for piece in split(text, limit=limit):
        assert all(fence.closed for fence in find_fences(piece))


@settings(max_examples=200, deadline=None)
@given(st.lists(fenced, min_size=1, max_size=3).map("words between them\n".join), st.integers(60, 200))
def test_joined_pieces_are_the_text_but_for_reopened_fences_and_space(text: str, limit: int) -> None:
    codes = [squeeze(text[fence.body : fence.end]).strip("`") for fence in find_fences(text)]
    sent = squeeze("".join(re.sub(r"^```.*$", "", piece, flags=re.MULTILINE) for piece in split(text, limit=limit)))
    assert is_subsequence("".join(codes), sent)


@example("a" * 29 + "\u200d " + "a" * 10)
@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="あa👩‍👧👍🏽🇯🇵e\u0301 ", max_size=200))
def test_no_seam_is_within_a_composed_character(text: str) -> None:
    pieces = split(text, limit=40)
    place = 0
    for piece in pieces[:-1]:
        place = text.index(piece, place) + len(piece)
        assert is_boundary(text, place)


def is_subsequence(wanted: str, text: str) -> bool:
    characters = iter(text)
    return all(character in characters for character in wanted)


def test_the_title_of_a_block_that_begins_with_blank_lines_is_not_lost() -> None:
    text = "\n```a title\n  \n  \n;;;;;;;;;;;;;;;;;;;;\n```\n"
    assert "title" in "".join(split(text, 40))
