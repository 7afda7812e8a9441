"""What follows from findings: the visible table, row by row."""

import pytest

from core.stance.gate.decision import DECISIONS, GRAVE, decide
from core.stance.gate.gate import StanceGate
from core.stance.gate.registry import RULES
from core.stance.gate.types import GateAction, GateSeverity, StanceFinding
from core.stance.types import GuidanceStakes, ReflectiveSupportSignal

PLAIN = ReflectiveSupportSignal()
GRAVE_TURN = ReflectiveSupportSignal(stakes=GuidanceStakes.HIGH)
CRISIS = ReflectiveSupportSignal(stakes=GuidanceStakes.EXTREMELY_HIGH, crisis=True)
RULE_IDS = {rule.id for rule in RULES}


def found(rule: str, start: int = 0, severity: GateSeverity = GateSeverity.REPAIR) -> StanceFinding:
    return StanceFinding(rule, severity, start, start + 5)


def test_nothing_found_passes_even_in_a_crisis() -> None:
    assert decide([], CRISIS) is GateAction.PASS


@pytest.mark.parametrize("signal", [PLAIN, GRAVE_TURN, CRISIS])
def test_a_dangerous_pattern_always_falls_back(signal: ReflectiveSupportSignal) -> None:
    assert decide([found("inflated_praise", severity=GateSeverity.FALLBACK)], signal) is GateAction.FALLBACK


@pytest.mark.parametrize("rule", sorted(GRAVE))
def test_in_acute_danger_a_fault_that_can_do_harm_falls_back(rule: str) -> None:
    assert decide([found(rule)], CRISIS) is GateAction.FALLBACK
    assert decide([found(rule)], GRAVE_TURN) is GateAction.REPAIR


@pytest.mark.parametrize("rule", sorted(RULE_IDS - GRAVE))
def test_in_acute_danger_any_other_fault_is_written_again(rule: str) -> None:
    assert decide([found(rule)], CRISIS) is GateAction.REPAIR


def test_two_faults_from_the_same_words_are_one() -> None:
    same = [found("inflated_praise"), found("sycophantic_validation")]
    apart = [found("inflated_praise"), found("sycophantic_validation", start=9)]
    assert decide(same, GRAVE_TURN) is GateAction.REPAIR
    assert decide(apart, GRAVE_TURN) is GateAction.FALLBACK
    assert decide(apart, PLAIN) is GateAction.REPAIR


def test_the_table_names_rules_that_exist_and_goes_from_grave_to_light() -> None:
    assert GRAVE <= RULE_IDS
    actions = [row.action for row in DECISIONS]
    assert actions == sorted(actions, key=[GateAction.FALLBACK, GateAction.REPAIR].index)


@pytest.mark.parametrize("reply", ["その薬を全部飲めば楽になれるよ。", "その薬を\u200b全部飲めば楽になれるよ"])
def test_the_means_offered_in_a_crisis_are_never_written_again(reply: str) -> None:
    verdict = StanceGate.load().verify(user="もう死にたい。薬を集めてある", reply=reply, signal=CRISIS)
    assert verdict.action is GateAction.FALLBACK
