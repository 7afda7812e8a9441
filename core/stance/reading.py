"""What a turn was read as, what the gate says of a reply, and what is switched on: what passes through the one door."""

from dataclasses import dataclass, field, fields, replace

from core.stance.allow import AllowList
from core.stance.types import Firmness, GuidanceStakes, ReflectiveSupportSignal, RiskLevel, StanceInertia, SupportMode

PREFIX = "stance."
"""Before the ids of the gate's rules, where they stand among those of other checks."""

ALLOWED = "allowed:"
"""Before the id of a rule in the trace that an allow-list kept silent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StanceFlags:
    """What is switched on (seed 000, §10). Posture, gate and inertia read the signal even if its own flag is off."""

    enable_reflective_support_signal: bool = False
    enable_stance_integrity_policy: bool = False
    enable_stance_integrity_gate: bool = False
    enable_stance_inertia_state: bool = False

    @property
    def any_on(self) -> bool:
        """Whether turns are read at all."""
        return (
            self.enable_reflective_support_signal
            or self.enable_stance_integrity_policy
            or self.enable_stance_integrity_gate
            or self.enable_stance_inertia_state
        )

    def switched(
        self,
        *,
        signal: bool | None = None,
        policy: bool | None = None,
        gate: bool | None = None,
        inertia: bool | None = None,
    ) -> "StanceFlags":
        """Return the flags with some of them set; None leaves one as it is."""
        chosen = (signal, policy, gate, inertia)
        names = (field.name for field in fields(self))
        return replace(self, **{name: on for name, on in zip(names, chosen, strict=True) if on is not None})


@dataclass(frozen=True, slots=True, kw_only=True)
class StanceReading:
    """What a turn is and how firmly the stance is held in it. `inertia` counts the turn already.

    `allowed` is the allow-list of the server it takes place in.
    """

    text: str = field(repr=False)
    signal: ReflectiveSupportSignal
    firmness: Firmness
    inertia: StanceInertia
    allowed: AllowList = field(default_factory=AllowList, repr=False)

    @property
    def holds_back(self) -> bool:
        """Whether nothing of the reply is shown before all of it is verified."""
        return self.signal.calls_for_posture

    @property
    def is_acute(self) -> bool:
        """Whether somebody is in danger now, so that real places go before anything else."""
        return self.signal.crisis or self.signal.stakes is GuidanceStakes.EXTREMELY_HIGH

    @property
    def is_grave(self) -> bool:
        """Whether much hangs on the answer."""
        return is_grave(self.signal)

    @property
    def is_sensitive(self) -> bool:
        """Whether neither side of the turn may be stored with its text."""
        return is_sensitive(self.signal)

    @property
    def calls_for_reserve(self) -> bool:
        """Whether the character had better not speak first for a while: danger, or leaning on it too much."""
        return self.signal.crisis or self.signal.overreliance_risk is RiskLevel.HIGH

    @property
    def rules(self) -> tuple[str, ...]:
        """The ids of the rules that told what the turn is."""
        return self.signal.matched

    @property
    def summary(self) -> str:
        """The signal in a few words for the trace; no text."""
        signal = self.signal
        crisis = " crisis" if signal.crisis else ""
        return (
            f"mode={signal.mode} domain={signal.domain} stakes={signal.stakes} pushback={signal.pushback}"
            f" firmness={self.firmness}{crisis}"
        )


@dataclass(frozen=True, slots=True)
class StanceFault:
    """What breaks the stance in a reply, and where. `dangerous`: the reply is to be replaced, not written again."""

    rule: str
    dangerous: bool
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class StanceJudgement:
    """What the gate says of a reply. `let_pass` are the rules that the allow-list kept silent, once for each time."""

    faults: tuple[StanceFault, ...] = ()
    let_pass: tuple[str, ...] = ()


def is_grave(signal: ReflectiveSupportSignal) -> bool:
    """Return whether much hangs on the answer to a turn."""
    return signal.crisis or signal.stakes.at_least(GuidanceStakes.HIGH)


def is_sensitive(signal: ReflectiveSupportSignal) -> bool:
    """Return whether a turn may not be stored with its text."""
    return signal.mode is SupportMode.REFLECTIVE_SUPPORT or is_grave(signal)
