"""Patterns are compiled when something first asks for them."""

import re

import pytest

from core.facts.time_claims import compile_patterns
from core.facts.time_claims.activity import activity_rules
from core.facts.time_claims.patterns import Pattern
from core.facts.time_claims.rules import LOCALES, explicit_rules


def test_a_pattern_matches_what_one_of_its_alternatives_does() -> None:
    pattern = Pattern("(?P<one>ab)", "(?P<other>c[de])")
    found = pattern.search("xxcd")
    assert found is not None
    assert (found.lastgroup, found.span()) == ("other", (2, 4))
    assert pattern.match("xab", 1) is not None
    assert pattern.fullmatch("abc") is None
    assert [match.group() for match in pattern.finditer("abce")] == ["ab", "ce"]


def test_nothing_is_compiled_until_it_is_asked_for() -> None:
    pattern = Pattern("a(?P<name>b")
    assert pattern.source == "a(?P<name>b"
    with pytest.raises((re.error, ValueError)):
        pattern.search("")


def test_a_pattern_can_be_compiled_ahead() -> None:
    with pytest.raises((re.error, ValueError)):
        Pattern("a(?P<name>b").compile()
    Pattern("ab").compile()


async def test_every_pattern_of_the_rules_can_be_compiled() -> None:
    await compile_patterns()

    assert all(rules.patterns for rules in explicit_rules())
    assert all(activity_rules(locale).patterns for locale in LOCALES)


def test_a_pattern_has_no_other_methods() -> None:
    with pytest.raises(AttributeError):
        _ = Pattern("a").sub
