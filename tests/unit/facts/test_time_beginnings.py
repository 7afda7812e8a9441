"""How a pattern begins, and that an index loses no match."""

import re
from collections.abc import Iterator

import pytest

from core.facts.time_claims.activity import activity_rules
from core.facts.time_claims.beginnings import beginnings, guarded
from core.facts.time_claims.index import build_index, build_word_index
from core.facts.time_claims.patterns import Pattern
from core.facts.time_claims.rules import LOCALES
from tests.unit.facts.labelled import corpus, own_cases


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("abc", {"ab"}),
        ("(?:ab|cd)e", {"ab", "cd"}),
        ("a?bc", {"ab", "bc"}),
        ("[ab]c", {"ac", "bc"}),
        ("(?<!x)(?=a)ab", {"ab"}),
        ("a.*b", {"a", "ab"}),
        (r"\w+ed", {""}),
        (r"half\ past", {"ha"}),
        (r"a{1,2}b", {"aa", "ab"}),
        (r"a{1,9}b", {"a"}),
        ("(?P<name>x|yz)", {"x", "yz"}),
    ],
)
def test_beginnings_are_what_a_match_may_begin_with(pattern: str, expected: set[str]) -> None:
    assert beginnings(pattern, 2) == expected


def test_an_unclosed_pattern_is_refused() -> None:
    with pytest.raises(ValueError, match=r"\)b"):
        beginnings("a)b", 2)


def test_a_beginning_is_never_longer_than_asked_for() -> None:
    assert beginnings("[ab]?c[de]?f{1,2}", 3) == {"acd", "ace", "acf", "bcd", "bce", "bcf", "cdf", "cef", "cf", "cff"}


def test_a_beginning_ends_with_the_second_figure() -> None:
    assert beginnings("(?:at )?[12][0-9]?:30 pm", 9) == {"at 1:", "at 2:", "1:", "2:"} | {
        f"{before}{ten}{one}" for before in ("", "at ") for ten in "12" for one in "0123456789"
    }


@pytest.mark.parametrize(
    ("pattern", "text"),
    [("(?:ab|cd)e", "abe"), (r"x[^.]{0,9}?(?:foo|bar)", "x, bar"), (r"(?:x[^.]{0,9})?(?:foo|bar)", "foo"), ("a?", "b")],
)
def test_a_guard_changes_no_match(pattern: str, text: str) -> None:
    plain, quick = re.search(pattern, text), re.search(guarded(pattern), text)
    assert plain is not None
    assert quick is not None
    assert plain.span() == quick.span()


def places(pattern: Pattern, text: str) -> Iterator[int]:
    """Give every position where a pattern matches."""
    match = pattern.search(text)
    while match:
        yield match.start()
        match = pattern.search(text, match.start() + 1) if match.start() < len(text) else None


@pytest.mark.parametrize("locale", LOCALES)
def test_the_index_offers_every_rule_that_matches(locale: str) -> None:
    rules = activity_rules(locale)
    every = {*rules.index.rules, *rules.open}
    for line in (*corpus(), *own_cases()):
        text = line["text"]
        for rule in every:
            assert all(rule in rules.at(text, at) for at in places(rule.pattern, text)), (rule.id, text)


def test_every_place_where_a_rule_matches_is_found() -> None:
    index = activity_rules("ja").index
    for line in (*corpus(), *own_cases()):
        text = line["text"]
        found = dict(index.anywhere(text, 0, len(text)))
        for rule in index.rules:
            assert all(rule in found[at] for at in places(rule.pattern, text)), (rule.id, text)


def test_rules_keep_their_order() -> None:
    first, second = Pattern("ab"), Pattern("a")
    index = build_index([("first", first), ("second", second)], "ja")
    assert index.at("abc", 0) == ("first", "second")
    assert index.at("acc", 0) == ("second",)
    assert index.at("xyz", 0) == ()


def test_a_word_brings_the_rules_of_the_words_it_begins_with() -> None:
    index = build_word_index([("night", ["夜"]), ("late", ["夜中", "深夜"])])
    assert [place[1] for place in index.words.finditer("真夜中の深夜")] == ["夜中", "深夜", "夜"]
    assert index.by_word == {"夜": (0,), "夜中": (0, 1), "深夜": (1,)}
