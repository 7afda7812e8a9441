import pytest

from core.language_model.tokens import estimate_tokens
from core.values import Locale
from tests.unit.facts.capsule.golden import as_text, golden_file, renders


@pytest.mark.parametrize("locale", Locale)
def test_notes_read_as_they_did_when_they_were_last_looked_at(locale: Locale) -> None:
    assert as_text(renders(locale)) == golden_file(locale).read_text("utf-8"), (
        "if the change is meant: python -m tests.unit.facts.capsule.golden"
    )


@pytest.mark.parametrize("locale", Locale)
def test_notes_are_short(locale: Locale) -> None:
    lengths = {name: estimate_tokens(note) for name, note in renders(locale).items() if "kept" not in name}
    typical = sorted(lengths.values())[len(lengths) // 2]
    assert typical <= 130, lengths
    assert max(lengths.values()) <= 150, lengths
