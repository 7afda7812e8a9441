"""Typing leaves no trace: width, composition and what can't be seen never, sounds, emoji and stops hardly ever."""

import random
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.stance.signal.canonical import canonical
from core.stance.signal.signal import SignalReader
from tests.evals.signal.lines import load_lines

TEXTS = [line.text for line in load_lines() if line.source == "corpus"]


def _full_width(text: str) -> str:
    return "".join(chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" else sign for sign in text)


def _zero_width(text: str) -> str:
    return "\u200b".join(text) + "\ufeff"


@pytest.mark.parametrize("text", TEXTS[::9])
def test_width_composition_and_invisible_characters_change_nothing(text: str, by_words: SignalReader) -> None:
    wanted = by_words.read_by_words(text)
    for typed in (_full_width(text), unicodedata.normalize("NFD", text), unicodedata.normalize("NFC", text)):
        assert by_words.read_by_words(typed) == wanted
    assert by_words.read_by_words(_zero_width(text)) == wanted


def _stretched(text: str) -> str:
    return text + ("ーーー" if "ぁ" <= text[-1] <= "ゖ" else text[-1] * 3 if text[-1] in "aiueo" else "〜〜")


@pytest.mark.parametrize(
    "typed",
    [
        _stretched,
        lambda text: text + "😭😭✨",
        lambda text: text + "(´;ω;`)",
        lambda text: text + "…",
        lambda text: text + "!!!",
        lambda text: text.replace("。", "．").replace("、", "，"),
        lambda text: text.replace("?", "？？").replace("？", "？！"),
    ],
)
def test_stretching_pictures_and_stops_hardly_ever_change_the_mode(
    typed: Callable[[str], str], by_words: SignalReader
) -> None:
    chosen = random.Random(3).sample(TEXTS, 400)
    same = sum(by_words.read_by_words(typed(text)).mode == by_words.read_by_words(text).mode for text in chosen)
    assert same >= 0.99 * len(chosen)


@given(st.text(max_size=400))
def test_any_text_gives_a_signal(by_words: SignalReader, text: str) -> None:
    assert by_words.read_by_words(text).matched


@given(st.text(alphabet=st.characters(codec=None, categories=["Cs", "Cc", "Cf", "Mn", "So", "Lo"]), max_size=80))
def test_damaged_text_gives_a_signal(by_words: SignalReader, text: str) -> None:
    assert by_words.read_by_words(text).matched


@given(st.text(max_size=200))
def test_the_canonical_form_is_its_own_canonical_form_of_other_compositions(text: str) -> None:
    assert canonical(unicodedata.normalize("NFD", text)) == canonical(unicodedata.normalize("NFC", text))


@pytest.mark.parametrize(
    "text", ["死" * 200_000, "a" * 300_000, "?!" * 50_000, "「" * 20_000, "(" * 20_000, " " * 90_000]
)
def test_a_huge_text_gives_a_signal(text: str, by_words: SignalReader) -> None:
    assert by_words.read_by_words(text).matched


@pytest.mark.parametrize("run", [" ", "…", "\U0001f600", " .", "!?"])
def test_a_run_of_signs_reads_the_same_however_long_it_is(run: str) -> None:
    assert canonical(f"彼はなぜ{run * 1500}what") == canonical(f"彼はなぜ{run * 30}what")


def test_a_line_ends_within_a_long_run_of_blanks() -> None:
    assert canonical("one" + " " * 500 + "\n" + " " * 500 + "two") == canonical("one\ntwo")


@pytest.mark.parametrize("words", ["im just ", "so i am im ", "ok , ", "へえ"])
def test_a_long_row_of_short_words_is_read_at_once(words: str, by_words: SignalReader) -> None:
    """A pattern that can split such a row in several ways takes twice as long with each further word."""
    assert by_words.read_by_words(words * 60 + "zzz").matched is not None
