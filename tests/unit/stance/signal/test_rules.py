"""Every rule fires on its cases and stays silent on the others; no rule is without cases of both kinds."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from core.stance.signal.reading import Reader
from core.stance.signal.registry import RULES

CASES = Path(__file__).parent / "cases"


def _cases() -> Iterator[tuple[str, bool, str]]:
    for rule in RULES:
        by_language = yaml.safe_load((CASES / f"{rule.id}.yaml").read_text(encoding="utf-8"))
        for cases in by_language.values():
            yield from ((rule.id, True, text) for text in cases["fires"])
            yield from ((rule.id, False, text) for text in cases["silent"])


@pytest.mark.parametrize(("rule_id", "fires", "text"), list(_cases()))
def test_rule_decides_its_case(rule_id: str, fires: bool, text: str, reader: Reader) -> None:
    rule = next(rule for rule in RULES if rule.id == rule_id)
    assert rule.fires(reader.read(text)) is fires


@pytest.mark.parametrize("rule_id", [rule.id for rule in RULES])
def test_rule_has_cases_of_both_kinds_in_both_languages(rule_id: str) -> None:
    cases = yaml.safe_load((CASES / f"{rule_id}.yaml").read_text(encoding="utf-8"))
    assert {language: {kind: bool(cases[language][kind]) for kind in ("fires", "silent")} for language in cases} == {
        "ja": {"fires": True, "silent": True},
        "en": {"fires": True, "silent": True},
    }


def test_rule_ids_are_unique_and_have_no_stray_cases() -> None:
    ids = [rule.id for rule in RULES]
    assert len(set(ids)) == len(ids)
    assert {path.stem for path in CASES.glob("*.yaml")} == set(ids)


def test_groups_named_by_rules_exist_in_both_locales(reader: Reader) -> None:
    named = {group for rule in RULES for group in (*rule.candidate, *rule.argument)}
    for lexicon in reader.lexicons.values():
        assert named <= lexicon.names
