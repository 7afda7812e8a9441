"""What a session remembers of its stance, and how firm the stance is (seed 000, §7; thresholds in `FIRMNESS`)."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from core.stance.types import (
    Firmness,
    GuidanceStakes,
    PushbackLevel,
    ReflectiveSupportSignal,
    RiskLevel,
    StanceInertia,
    SupportMode,
)


@dataclass(frozen=True, slots=True)
class FirmnessRow:
    """One row of the table: under this condition the stance is at least this firm.

    `everywhere`: whatever the turn is. The other rows hold only while support is sought, since a task that is asked
    for again is no pressure on the stance, and what was pushed for earlier no longer counts once the topic is left.
    """

    firmness: Firmness
    why: str
    holds: Callable[[ReflectiveSupportSignal, StanceInertia], bool]
    everywhere: bool = False


def _grave(signal: ReflectiveSupportSignal) -> bool:
    return signal.stakes.at_least(GuidanceStakes.HIGH)


def _pressing(signal: ReflectiveSupportSignal) -> bool:
    return signal.pushback.at_least(PushbackLevel.ACTIVE) or signal.sycophancy_risk is RiskLevel.HIGH


def _leans_on_us(signal: ReflectiveSupportSignal) -> bool:
    return signal.overreliance_risk is RiskLevel.HIGH


FIRMNESS: tuple[FirmnessRow, ...] = (
    FirmnessRow(Firmness.FIRMEST, "acute danger", lambda signal, _: signal.crisis, everywhere=True),
    FirmnessRow(
        Firmness.FIRMEST,
        "the user says that they ask again",
        lambda signal, _: signal.pushback is PushbackLevel.REPEATED,
    ),
    FirmnessRow(Firmness.FIRMEST, "two active pushes or more", lambda _, inertia: inertia.active_pushback_count >= 2),
    FirmnessRow(Firmness.FIRM, "one active push", lambda _, inertia: inertia.active_pushback_count >= 1),
    FirmnessRow(
        Firmness.FIRM,
        "high stakes with pressure",
        lambda signal, _: _grave(signal) and _pressing(signal),
        everywhere=True,
    ),
    FirmnessRow(
        Firmness.FIRM, "high stakes over three turns or more", lambda _, inertia: inertia.high_stakes_turn_count >= 3
    ),
    FirmnessRow(Firmness.FIRM, "dependence shows strongly", lambda signal, _: _leans_on_us(signal), everywhere=True),
    FirmnessRow(
        Firmness.FIRM, "dependence still shows since it did strongly", lambda _, now: now.recent_overreliance_marker
    ),
)
"""Read from the top; the first row that holds decides. None holds: `Firmness.BASE`."""


def firmness_of(signal: ReflectiveSupportSignal, inertia: StanceInertia) -> Firmness:
    """Return how firm the stance is in a turn. `inertia` already counts the turn."""
    seeking = signal.mode is SupportMode.REFLECTIVE_SUPPORT
    rows = (row for row in FIRMNESS if seeking or row.everywhere)
    return next((row.firmness for row in rows if row.holds(signal, inertia)), Firmness.BASE)


def advance(inertia: StanceInertia, signal: ReflectiveSupportSignal) -> StanceInertia:
    """Return the inertia after a user turn; leaving the topic for another mode clears it, unless danger is acute.

    A back-channel changes nothing.
    """
    seeking = signal.mode is SupportMode.REFLECTIVE_SUPPORT
    if not signal.crisis and (signal.is_back_channel or signal.mode is SupportMode.NONE):
        return inertia
    if not seeking and not signal.crisis:
        return StanceInertia()
    return replace(
        inertia,
        active_pushback_count=inertia.active_pushback_count + signal.pushback.at_least(PushbackLevel.ACTIVE),
        reflective_support_turn_count=inertia.reflective_support_turn_count + seeking,
        high_stakes_turn_count=inertia.high_stakes_turn_count + _grave(signal),
        recent_overreliance_marker=_leans_on_us(signal)
        or (inertia.recent_overreliance_marker and _still_leaning(signal)),
    )


def _still_leaning(signal: ReflectiveSupportSignal) -> bool:
    return signal.overreliance_risk.at_least(RiskLevel.MEDIUM)


def note_gate(inertia: StanceInertia, reason: str | None) -> StanceInertia:
    """Return the inertia after the gate looked at a reply; `reason` is the rule it held the reply back for."""
    return inertia if reason is None else replace(inertia, last_stance_gate_reason=reason)
