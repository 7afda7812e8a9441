"""What one pass over a sentence finds, and that it misses no match."""

import pytest

from core.facts.time_claims.mentions import mentions
from core.facts.time_claims.patterns import Pattern
from core.facts.time_claims.rules import LocaleRules, explicit_rules
from core.facts.time_claims.spots import build_spotter
from tests.unit.facts.labelled import corpus, own_cases


@pytest.mark.parametrize("rules", explicit_rules(), ids=lambda rules: rules.locale)
def test_a_sentence_without_spots_holds_nothing_that_a_rule_matches(rules: LocaleRules) -> None:
    frames = {frame.pattern.source: frame for needle in rules.spotter.automaton.values() for frame in needle.begins}
    for line in (*corpus(), *own_cases())[::4]:
        text = line["text"].lower()
        if rules.spotter.spots(text) is None:
            assert not list(mentions(text, rules.locale)), text
            assert not any(match.group() for frame in frames.values() for match in frame.pattern.finditer(text)), text


def test_places_and_words_come_in_the_order_of_the_rules() -> None:
    rules = [("first", Pattern("half past")), ("second", Pattern("half"))]
    worded = [("late", ("night", "夜中")), ("dark", ("夜",))]
    spotter = build_spotter(rules, worded, "dawn", "en")
    spots = spotter.spots("half past")
    assert spots is not None
    assert spots.places == [(0, ("first", "second"))]
    spots = spotter.spots("真夜中")
    assert spots is not None
    assert (spots.worded, spots.named) == (["late", "dark"], False)
    spots = spotter.spots("dawn")
    assert spots is not None
    assert spots.named


def test_english_rules_begin_with_a_word_only() -> None:
    spotter = build_spotter([("half", Pattern("half"))], [("night", ("night",))], "dawn", "en")
    assert spotter.spots("behalf and knight") is None


def test_a_pattern_that_may_begin_anyhow_is_refused() -> None:
    with pytest.raises(ValueError, match="any"):
        build_spotter([("any", Pattern(".any"))], [], "dawn", "en")
