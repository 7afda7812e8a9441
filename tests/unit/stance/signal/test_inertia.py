"""Firmness follows the visible table; a session remembers five fields and nothing else."""

from dataclasses import fields

import pytest

from core.stance.inertia import FIRMNESS, advance, firmness_of, note_gate
from core.stance.types import (
    Firmness,
    GuidanceStakes,
    PushbackLevel,
    ReflectiveSupportSignal,
    RiskLevel,
    StanceInertia,
    SupportMode,
)

CALM = ReflectiveSupportSignal(mode=SupportMode.REFLECTIVE_SUPPORT, matched=("learned.reflective_support",))
PUSH = ReflectiveSupportSignal(mode=SupportMode.REFLECTIVE_SUPPORT, pushback=PushbackLevel.ACTIVE)
BACK_CHANNEL = ReflectiveSupportSignal(mode=SupportMode.REFLECTIVE_SUPPORT, matched=("none.back_channel",))
CASUAL = ReflectiveSupportSignal(mode=SupportMode.CASUAL, matched=("learned.casual",))


def _follow(*signals: ReflectiveSupportSignal) -> tuple[StanceInertia, Firmness]:
    inertia = StanceInertia()
    for signal in signals:
        inertia = advance(inertia, signal)
    return inertia, firmness_of(signals[-1], inertia)


@pytest.mark.parametrize(
    ("signals", "firmness"),
    [
        ((CALM, CALM), Firmness.BASE),
        ((CALM, PUSH), Firmness.FIRM),
        ((PUSH, CALM), Firmness.FIRM),
        ((PUSH, PUSH), Firmness.FIRMEST),
        ((PUSH, PUSH, CALM), Firmness.FIRMEST),
        ((PUSH, PUSH, BACK_CHANNEL), Firmness.FIRMEST),
        ((PUSH, PUSH, CASUAL), Firmness.BASE),
        ((PUSH, PUSH, CASUAL, CALM), Firmness.BASE),
    ],
)
def test_firmness_follows_the_pushes(signals: tuple[ReflectiveSupportSignal, ...], firmness: Firmness) -> None:
    assert _follow(*signals)[1] is firmness


@pytest.mark.parametrize(
    ("signal", "firmness"),
    [
        (ReflectiveSupportSignal(mode=SupportMode.REFLECTIVE_SUPPORT, crisis=True), Firmness.FIRMEST),
        (
            ReflectiveSupportSignal(mode=SupportMode.REFLECTIVE_SUPPORT, pushback=PushbackLevel.REPEATED),
            Firmness.FIRMEST,
        ),
        (
            ReflectiveSupportSignal(
                mode=SupportMode.REFLECTIVE_SUPPORT, stakes=GuidanceStakes.HIGH, sycophancy_risk=RiskLevel.HIGH
            ),
            Firmness.FIRM,
        ),
        (
            ReflectiveSupportSignal(mode=SupportMode.REFLECTIVE_SUPPORT, overreliance_risk=RiskLevel.HIGH),
            Firmness.FIRM,
        ),
        (ReflectiveSupportSignal(mode=SupportMode.REFLECTIVE_SUPPORT, stakes=GuidanceStakes.HIGH), Firmness.BASE),
    ],
)
def test_one_turn_alone_can_harden_the_stance(signal: ReflectiveSupportSignal, firmness: Firmness) -> None:
    assert _follow(signal)[1] is firmness


@pytest.mark.parametrize("mode", [SupportMode.CASUAL, SupportMode.TASK_ADVICE, SupportMode.NONE])
@pytest.mark.parametrize(
    ("shows", "firmness"),
    [
        ({"crisis": True}, Firmness.FIRMEST),
        ({"stakes": GuidanceStakes.HIGH, "pushback": PushbackLevel.ACTIVE}, Firmness.FIRM),
        ({"stakes": GuidanceStakes.HIGH, "sycophancy_risk": RiskLevel.HIGH}, Firmness.FIRM),
        ({"overreliance_risk": RiskLevel.HIGH}, Firmness.FIRM),
        ({"stakes": GuidanceStakes.HIGH}, Firmness.BASE),
        ({"pushback": PushbackLevel.REPEATED}, Firmness.BASE),
        ({}, Firmness.BASE),
    ],
)
def test_danger_and_dependence_harden_the_stance_whatever_the_turn_is(
    mode: SupportMode, shows: dict[str, object], firmness: Firmness
) -> None:
    assert _follow(ReflectiveSupportSignal(mode=mode, **shows))[1] is firmness  # type: ignore[arg-type]


def test_somebody_in_danger_has_not_left_the_topic() -> None:
    danger = ReflectiveSupportSignal(mode=SupportMode.CASUAL, stakes=GuidanceStakes.EXTREMELY_HIGH, crisis=True)
    kept, _ = _follow(PUSH, danger)
    assert kept == StanceInertia(active_pushback_count=1, reflective_support_turn_count=1, high_stakes_turn_count=1)


def test_high_stakes_over_three_turns_harden_the_stance() -> None:
    grave = ReflectiveSupportSignal(mode=SupportMode.REFLECTIVE_SUPPORT, stakes=GuidanceStakes.HIGH)
    assert _follow(grave, grave)[1] is Firmness.BASE
    assert _follow(grave, grave, grave)[1] is Firmness.FIRM


def test_dependence_stays_marked_while_it_still_shows() -> None:
    high = ReflectiveSupportSignal(mode=SupportMode.REFLECTIVE_SUPPORT, overreliance_risk=RiskLevel.HIGH)
    medium = ReflectiveSupportSignal(mode=SupportMode.REFLECTIVE_SUPPORT, overreliance_risk=RiskLevel.MEDIUM)
    assert _follow(high, medium)[0].recent_overreliance_marker
    assert not _follow(high, CALM)[0].recent_overreliance_marker


def test_the_rows_of_the_table_go_from_firm_to_less_firm() -> None:
    ranks = [row.firmness.rank for row in FIRMNESS]
    assert ranks == sorted(ranks, reverse=True)


def test_a_session_remembers_five_fields_without_text() -> None:
    assert [field.name for field in fields(StanceInertia)] == [
        "active_pushback_count",
        "reflective_support_turn_count",
        "high_stakes_turn_count",
        "recent_overreliance_marker",
        "last_stance_gate_reason",
    ]


def test_the_gates_reason_is_kept_until_another_or_until_the_topic_is_left() -> None:
    inertia = note_gate(StanceInertia(), "third_party_certainty")
    assert note_gate(inertia, None).last_stance_gate_reason == "third_party_certainty"
    assert advance(inertia, CALM).last_stance_gate_reason == "third_party_certainty"
    assert advance(inertia, CASUAL) == StanceInertia()
