"""Patterns are compiled when something first asks for them."""

import re

import pytest

from core.facts.time_claims.patterns import Pattern


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


def test_a_pattern_has_no_other_methods() -> None:
    with pytest.raises(AttributeError):
        _ = Pattern("a").sub
