"""A conversation's turns in order: the mode in force, pushes so far, and what the session remembers of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.stance.inertia import advance, firmness_of
from core.stance.signal.judgement import LEANING, Context
from core.stance.types import Firmness, PushbackLevel, ReflectiveSupportSignal, StanceInertia, SupportMode


@dataclass(frozen=True, slots=True)
class SaidTurn:
    """One turn of a conversation. `by_user` is false for what the character said."""

    by_user: bool
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionReading:
    """Signals and firmness, one for each user turn, and what is remembered after the last."""

    signals: tuple[ReflectiveSupportSignal, ...]
    firmness: tuple[Firmness, ...]
    inertia: StanceInertia


def after(context: Context, signal: ReflectiveSupportSignal) -> Context:
    """Return what the next turn is judged in. Pushes are forgotten once the topic is really left."""
    if signal.is_back_channel:
        return context
    if signal.mode is not SupportMode.REFLECTIVE_SUPPORT:
        return Context(mode=signal.mode, leaning=LEANING in signal.matched)
    pushed = signal.pushback.at_least(PushbackLevel.ACTIVE)
    return Context(mode=signal.mode, pushes=context.pushes + pushed)


def summarise(signals: Sequence[ReflectiveSupportSignal]) -> SessionReading:
    """Return firmness turn by turn and the inertia after the last."""
    inertia = StanceInertia()
    firmness: list[Firmness] = []
    for signal in signals:
        inertia = advance(inertia, signal)
        firmness.append(firmness_of(signal, inertia))
    return SessionReading(signals=tuple(signals), firmness=tuple(firmness), inertia=inertia)
