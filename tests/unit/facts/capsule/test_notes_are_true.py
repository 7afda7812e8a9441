"""The time guard's reading of prompts: the note states true things, everything else nothing."""

from datetime import timedelta

import pytest

from core.facts.capsule.rendering import render_capsule
from core.facts.time_claims import find_activity_claims, find_time_claims
from core.facts.time_claims.verdict import contradicts
from core.values import Locale
from prompts.loader import PromptLibrary
from tests.unit.facts.capsule.states import all_states
from tests.unit.facts.capsule.test_one_clock import other_templates, render_with_anything


@pytest.mark.parametrize("name", other_templates())
def test_no_other_template_claims_a_time_or_an_activity(name: str) -> None:
    rendered = render_with_anything(PromptLibrary.load(), name)
    assert find_time_claims(rendered) == ()
    assert find_activity_claims(rendered) == ()


@pytest.mark.parametrize("locale", Locale)
def test_a_note_is_true_at_its_moment_and_false_days_and_hours_later(locale: Locale) -> None:
    prompts = PromptLibrary.load()
    for state, capsule in all_states().items():
        claims = find_time_claims(render_capsule(capsule, prompts, locale))
        assert not contradicts(claims, capsule.world.now), state
        assert contradicts(claims, capsule.world.now + timedelta(days=3, hours=7)), state
