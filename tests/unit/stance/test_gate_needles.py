"""Patterns are left out only where they can't match; nothing else follows from the strings they need."""

import pytest

from core.stance.gate.lexicon import Lexicon
from core.stance.gate.view import look_at
from core.values import Locale
from tests.unit.stance.gate_corpus import labelled


@pytest.fixture(scope="module", params=list(Locale))
def lexicon(request: pytest.FixtureRequest) -> tuple[Locale, Lexicon]:
    return request.param, Lexicon.load(request.param)


def test_every_match_of_a_pattern_is_found_where_it_is_said_worth_trying(lexicon: tuple[Locale, Lexicon]) -> None:
    locale, shipped = lexicon
    rows = [row for row in labelled("dev", [f"replies_own_{locale}"]) if row.violations][::12]
    matches = 0
    for row in rows:
        view = look_at(row.reply)
        tried = shipped.worth_trying(view)
        for rule, pattern in shipped.patterns:
            places = [span for one, spans in tried.get(rule, ()) if one is pattern for span in spans]
            found = {match.span() for span in places for match in pattern.match.finditer(view.text, *span)}
            wanted = {match.span() for match in pattern.match.finditer(view.text)}
            assert found >= wanted, (row.id, pattern.id)
            matches += len(wanted)
    assert matches > len(rows) / 3


def test_most_patterns_are_left_out_of_most_sentences(lexicon: tuple[Locale, Lexicon]) -> None:
    locale, shipped = lexicon
    views = [look_at(row.reply) for row in labelled("dev", [f"replies_own_{locale}"])[::40]]
    tried = sum(len(spans) for view in views for tries in shipped.worth_trying(view).values() for _, spans in tries)
    assert tried < sum(len(view.starts) for view in views) * len(shipped.patterns) / 3


def test_few_patterns_may_leave_their_sentence(lexicon: tuple[Locale, Lexicon]) -> None:
    _, shipped = lexicon
    assert sum(pattern.reaches_on for _, pattern in shipped.patterns) < len(shipped.patterns) / 10
