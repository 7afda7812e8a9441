"""What holds for any text."""

import unicodedata
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.facts.time_claims import find_claims
from core.facts.time_claims.folding import fold
from tests.unit.facts.labelled import corpus

LINES = [line["text"] for line in corpus()]
WORDS = st.lists(st.sampled_from(LINES) | st.text(max_size=12), max_size=4).map("".join)
# Signs of prose only: full-width quotation marks and the like are other signs, not other widths of the same.
WIDE = {code: chr(code + 0xFEE0) for code in range(ord("0"), ord("z") + 1) if chr(code).isalnum()}


def shape(text: str) -> tuple[list[Any], list[str]]:
    """Return what is found, without the places."""
    claims = find_claims(text)
    times = [(claim.kind, claim.value, claim.approx, claim.ambiguous_12h) for claim in claims.times]
    return times, [claim.rule for claim in claims.activities]


# The first call reads the rules, which takes longer than a deadline; tests/benchmarks measures speed.
@settings(deadline=None)
@given(WORDS)
def test_any_text_can_be_read_and_offsets_stay_inside(text: str) -> None:
    claims = find_claims(text)
    places = [(claim.start, claim.end) for claim in claims.times]
    places += [(claim.start, claim.end) for claim in claims.activities]
    assert all(0 <= start < end <= len(text) for start, end in places)


@given(st.text())
def test_folding_twice_is_folding_once(text: str) -> None:
    once = fold(text).text
    assert fold(once).text == fold(fold(once).text).text


@given(st.text(max_size=40))
def test_every_folded_character_stood_somewhere(text: str) -> None:
    folded = fold(text)
    for position in range(len(folded.text)):
        start, end = folded.span(position, position + 1)
        assert 0 <= start < end <= len(text)


@pytest.mark.parametrize("text", LINES)
def test_width_composition_and_invisible_characters_change_nothing(text: str) -> None:
    plain = shape(text)
    assert shape(text.translate(WIDE)) == plain
    assert shape(unicodedata.normalize("NFD", text)) == plain
    assert shape("\u200b".join(text)) == plain


@settings(deadline=None)
@given(st.sampled_from(LINES), st.integers(min_value=3, max_value=9))
def test_a_drawn_out_greeting_is_the_same_greeting(text: str, length: int) -> None:
    assert shape(f"おはよ{'ー' * length}。{text}") == shape(f"おはよー。{text}")
