"""How a pattern begins, and that an index loses no match."""

import re

import pytest

from core.facts.time_claims.activity import activity_rules
from core.facts.time_claims.beginnings import beginnings
from core.facts.time_claims.index import build_index
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
        (r"a{1,2}b", {"a"}),
        ("(?P<name>x|yz)", {"x", "yz"}),
    ],
)
def test_beginnings_are_what_a_match_may_begin_with(pattern: str, expected: set[str]) -> None:
    assert beginnings(pattern, 2) == expected


def test_an_unclosed_pattern_is_refused() -> None:
    with pytest.raises(ValueError, match=r"\)b"):
        beginnings("a)b", 2)


@pytest.mark.parametrize("locale", LOCALES)
def test_the_index_offers_every_rule_that_matches(locale: str) -> None:
    index = activity_rules(locale).index
    rules = {rule for table in (index.long, index.middle, index.single) for found in table.values() for rule in found}
    for line in (*corpus(), *own_cases()):
        text = line["text"]
        for position in range(len(text)):
            offered = index.at(text, position)
            assert all(rule in offered for rule in rules if rule.pattern.match(text, position)), text


def test_rules_keep_their_order() -> None:
    first, second = re.compile("ab"), re.compile("a")
    index = build_index([("first", first), ("second", second)], "ja")
    assert index.at("abc", 0) == ("first", "second")
    assert index.at("acc", 0) == ("second",)
    assert index.at("xyz", 0) == ()
