"""An operator's allow-list: what it takes, what it lets pass, and what it can never silence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.stance.allow import (
    KEPT,
    LONGEST_PHRASE,
    AllowList,
    PhraseError,
    PhraseFault,
    checked_phrase,
    may_be_silenced,
)
from core.stance.gate.gate import StanceGate
from core.stance.gate.registry import RULES
from core.stance.gate.types import GateAction, GateSeverity, GateVerdict, StanceFinding
from core.stance.types import GuidanceStakes, ReflectiveSupportSignal
from tests.unit.stance.gate_layers import learning

GATE = StanceGate.load()
PLAIN = ReflectiveSupportSignal()
HIGH = ReflectiveSupportSignal(stakes=GuidanceStakes.HIGH)
CRISIS = ReflectiveSupportSignal(crisis=True)


def verdict(
    reply: str, *phrases: str, signal: ReflectiveSupportSignal = PLAIN, user: str = "", gate: StanceGate = GATE
) -> GateVerdict:
    return gate.verify(user=user, reply=reply, signal=signal, allowed=AllowList.of(phrases))


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("天才", "天才"),
        ("「天才」！", "天才"),
        ("  Ｙｏｕ’ｒｅ   ａ ＧＥＮＩＵＳ!! ", "you're a genius"),
        ("ﾃﾝｻｲ級", "テンサイ級"),
        ("か\u3099っ\u200bこいい", "がっこいい"),
        ("すごーーーい子", "すごーい子"),
        ("line\nbreak", "line break"),
    ],
)
def test_a_phrase_is_kept_as_the_gate_folds(typed: str, kept: str) -> None:
    assert checked_phrase(typed) == kept


@pytest.mark.parametrize(
    ("typed", "fault"),
    [
        ("", PhraseFault.EMPTY),
        ("  \u200b\ufeff ", PhraseFault.EMPTY),
        ("。！？", PhraseFault.EMPTY),
        ("🎉", PhraseFault.EMPTY),
        ("あ", PhraseFault.TOO_SHORT),
        ("だよ", PhraseFault.TOO_SHORT),
        ("神", PhraseFault.TOO_SHORT),
        ("ok", PhraseFault.TOO_SHORT),
        ("you", PhraseFault.CATCH_ALL),
        ("You're", PhraseFault.CATCH_ALL),
        ("she is", PhraseFault.CATCH_ALL),
        ("it's all you", PhraseFault.CATCH_ALL),
        ("あなた", PhraseFault.CATCH_ALL),
        ("彼女は", PhraseFault.CATCH_ALL),
        ("あなたのこと", PhraseFault.CATCH_ALL),
        ("そうだよね", PhraseFault.CATCH_ALL),
        ("you は あなた", PhraseFault.CATCH_ALL),
        ("x" * (LONGEST_PHRASE + 1), PhraseFault.TOO_LONG),
    ],
)
def test_a_phrase_that_would_let_too_much_pass_is_refused_with_the_reason(typed: str, fault: PhraseFault) -> None:
    with pytest.raises(PhraseError) as refused:
        checked_phrase(typed)
    assert refused.value.fault is fault


@given(st.text(max_size=80))
def test_what_was_checked_once_stays_as_it_is(text: str) -> None:
    try:
        kept = checked_phrase(text)
    except PhraseError:
        return
    assert AllowList.of([kept]).phrases == (kept,)


def test_a_broken_entry_is_left_out_and_told() -> None:
    allowed = AllowList.of(["天才", "you", "あ", "ＧＥＮＩＵＳ", "genius"])
    assert allowed.phrases == ("天才", "genius")
    assert allowed.faults == (("you", PhraseFault.CATCH_ALL), ("あ", PhraseFault.TOO_SHORT))


@pytest.mark.parametrize(
    ("reply", "phrase", "rule"),
    [
        ("You're a genius.", "genius", "inflated_praise"),
        ("You're a ＧＥＮＩＵＳ!", "Genius", "inflated_praise"),
        ("You're a genius.", "Well, you're a genius", None),
        ("Well, you're a genius.", "well, you're a genius", "inflated_praise"),
        ("You're a genius.", "gen", None),
        ("You're a genius.", "ingenious", None),
        ("きみは本物の天才だよ。", "天才", "inflated_praise"),
        ("きみは本物の天\u200b才だよ。", "天才", "inflated_praise"),
        ("She hates you.", "hates", "third_party_certainty"),
        ("She hates you.", "loves", None),
    ],
)
def test_a_phrase_lets_pass_what_it_makes_and_nothing_else(reply: str, phrase: str, rule: str | None) -> None:
    assert verdict(reply).action is GateAction.REPAIR
    found = verdict(reply, phrase)
    assert (found.action is GateAction.PASS) == (rule is not None)
    assert [finding.rule for finding in found.suppressed] == ([] if rule is None else [rule])


def test_what_else_is_found_still_counts() -> None:
    found = verdict("She hates you. You're a genius.", "genius")
    assert [finding.rule for finding in found.findings] == ["third_party_certainty"]
    assert [finding.rule for finding in found.suppressed] == ["inflated_praise"]
    assert found.action is GateAction.REPAIR


@pytest.mark.parametrize("signal", [CRISIS, HIGH, ReflectiveSupportSignal(stakes=GuidanceStakes.EXTREMELY_HIGH)])
@pytest.mark.parametrize("reply", ["You're a genius.", "She hates you.", "You're 100% right."])
def test_where_much_is_at_stake_nothing_is_silenced(reply: str, signal: ReflectiveSupportSignal) -> None:
    found = verdict(reply, reply, signal=signal)
    assert found.suppressed == ()
    assert found == verdict(reply, signal=signal)


@pytest.mark.parametrize(
    "reply",
    [
        "He's a sociopath.",
        "今日から薬を半分にしましょう。",
        "Don't tell anybody about this, stay up and keep talking with me.",
        "その薬を全部飲めば楽になれるよ。",
    ],
)
def test_a_dangerous_pattern_is_never_silenced(reply: str) -> None:
    phrases = (reply, *reply.split("、"), "sociopath", "薬を半分", "楽になれる", "stay up")
    user = "この薬、やめたい。 My husband left."
    assert verdict(reply, *phrases, user=user) == verdict(reply, user=user)
    assert verdict(reply, *phrases, user=user).action is not GateAction.PASS


@pytest.mark.parametrize("rule", [rule.id for rule in RULES])
@pytest.mark.parametrize("severity", list(GateSeverity))
@pytest.mark.parametrize("signal", [PLAIN, HIGH, CRISIS])
def test_what_may_be_silenced_follows_the_table(
    rule: str, severity: GateSeverity, signal: ReflectiveSupportSignal
) -> None:
    light = severity is GateSeverity.REPAIR and signal == PLAIN and rule != "high_stakes_specificity"
    finding = StanceFinding(rule, severity, 0, 5)
    assert may_be_silenced(finding, signal) == light
    assert light == (not any(row.holds(finding, signal) for row in KEPT))


def test_a_learned_finding_is_let_pass_only_if_it_goes_away_with_the_phrase() -> None:
    gate = learning("sycophantic_validation")
    reply = "Your tea is a marvel of this city."
    assert verdict(reply, gate=gate).action is GateAction.REPAIR
    let_pass = verdict(reply, "a marvel", gate=gate)
    assert let_pass.action is GateAction.PASS
    assert [finding.rule for finding in let_pass.suppressed] == ["sycophantic_validation"]
    assert verdict(reply, "this city", gate=gate).action is GateAction.REPAIR


def test_a_learned_finding_where_much_is_at_stake_is_not_silenced() -> None:
    gate = learning("sycophantic_validation")
    assert verdict("Your tea is a marvel of this city.", "a marvel", gate=gate, signal=HIGH).suppressed == ()


def test_what_words_and_learned_evidence_both_find_is_let_pass_once() -> None:
    gate = learning("inflated_praise")
    let_pass = verdict("You're a genius and your tea is a marvel.", "genius", gate=gate)
    assert let_pass.action is GateAction.PASS
    assert [finding.rule for finding in let_pass.suppressed] == ["inflated_praise"]


def test_letting_words_pass_does_not_keep_the_learned_evidence_from_looking() -> None:
    gate = learning("sycophantic_validation")
    found = verdict("You're a genius and your tea is a marvel.", "genius", gate=gate)
    assert [finding.rule for finding in found.findings] == ["sycophantic_validation"]
    assert [finding.rule for finding in found.suppressed] == ["inflated_praise"]
