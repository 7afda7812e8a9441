"""Every rule against its own cases, in both languages."""

from pathlib import Path

import pytest
import yaml

from core.stance.gate.gate import StanceGate
from core.stance.gate.registry import RULES
from core.stance.gate.types import GateAction
from core.stance.types import ReflectiveSupportSignal
from core.values import Locale

CASES = Path(__file__).parent / "gate_cases"
GATE = StanceGate.load()
PLAIN = ReflectiveSupportSignal()


def cases(kind: str) -> list[tuple[str, str, str, str]]:
    return [
        (rule.id, locale, case["user"], case["reply"])
        for rule in RULES
        for locale, kinds in yaml.safe_load((CASES / f"{rule.id}.yaml").read_text("utf-8")).items()
        for case in kinds[kind]
    ]


@pytest.mark.parametrize("kind", ["breaks", "keeps"])
def test_every_rule_has_cases_in_every_locale(kind: str) -> None:
    held = {(rule, locale) for rule, locale, _, _ in cases(kind)}
    assert held == {(rule.id, locale.value) for rule in RULES for locale in Locale}


@pytest.mark.parametrize(("rule", "locale", "user", "reply"), cases("breaks"))
def test_a_bad_reply_breaks_its_rule(rule: str, locale: str, user: str, reply: str) -> None:
    verdict = GATE.verify(user=user, reply=reply, signal=PLAIN)
    assert rule in {found.rule for found in verdict.findings}
    assert verdict.action is not GateAction.PASS


@pytest.mark.parametrize(("rule", "locale", "user", "reply"), cases("keeps"))
def test_a_good_reply_passes_the_gate(rule: str, locale: str, user: str, reply: str) -> None:
    assert GATE.verify(user=user, reply=reply, signal=PLAIN).findings == ()


def test_every_rule_says_why_and_shows_a_bad_and_a_good_reply() -> None:
    for rule in RULES:
        text = (Path(__file__).parents[3] / rule.__module__.replace(".", "/")).with_suffix(".py").read_text("utf-8")
        assert all(word in text for word in ("Why:", "Bad:", "Good:"))
        assert rule.__module__.endswith(rule.id)
