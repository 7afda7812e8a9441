"""The attack on regular expressions finds those that take for ever, and leaves the others alone."""

import random
import re

import pytest

from tests.evals.patterns.attack import attack, words_of


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        (r"\b(?:ok|so)[, ]+then$", ["ok", "so", "then"]),
        (r"(?=今日)[あ-ん]+|(?!x)y*", ["今日", "あ", "x", "y"]),
    ],
)
def test_the_words_of_a_pattern_are_its_literal_pieces(pattern: str, words: list[str]) -> None:
    assert [word for word in words_of(re.compile(pattern)) if word != ","] == words


def test_a_pattern_that_can_be_taken_in_many_ways_is_found() -> None:
    slow = attack(re.compile(r"(?:ok *)+(?:ok *)+(?:ok *)+then"), random.Random(1), tries=12)
    assert slow is not None
    assert "ok" in slow.text


@pytest.mark.parametrize("pattern", [r"(?:ok )++then", r"ok|so", r"[0-9]{2}:[0-9]{2}"])
def test_a_pattern_that_reads_on_is_left_alone(pattern: str) -> None:
    assert attack(re.compile(pattern), random.Random(1), tries=12) is None
