"""What is switched on in a run: posture and gate, each with and without the other."""

from enum import StrEnum

from core.stance.policy import StanceFlags


class Variant(StrEnum):
    """The four ways the two switches can stand."""

    NEITHER = "neither"
    POLICY = "policy"
    GATE = "gate"
    BOTH = "both"

    @property
    def has_policy(self) -> bool:
        """Whether the posture block may enter the prompt."""
        return self in {Variant.POLICY, Variant.BOTH}

    @property
    def has_gate(self) -> bool:
        """Whether replies are held against the gate."""
        return self in {Variant.GATE, Variant.BOTH}


def flags_of(variant: Variant) -> StanceFlags:
    """Return the flags of a variant. Where either switch is on, turns are read and the session remembers."""
    any_on = variant is not Variant.NEITHER
    return StanceFlags(
        enable_reflective_support_signal=any_on,
        enable_stance_integrity_policy=variant.has_policy,
        enable_stance_integrity_gate=variant.has_gate,
        enable_stance_inertia_state=any_on,
    )
