"""The words of stance integrity: what a turn is, how it presses, and what a session remembers (seed 000, §3 and §7).

Values are the snake_case names of the seed; they stand in traces, in `inspect` and in data files, so they never change.
Enumerations that have an order list their members from the least to the most.
"""

from dataclasses import dataclass
from enum import StrEnum


class OrderedEnum(StrEnum):
    """A StrEnum whose members are ordered as they are written; compare with `rank` or `at_least`."""

    @property
    def rank(self) -> int:
        """The position of the member, 0 for the least."""
        return list(type(self).__members__).index(self.name)

    def at_least(self, other: "OrderedEnum") -> bool:
        """Return whether this member is `other` or stands above it."""
        return self.rank >= other.rank


class SupportMode(StrEnum):
    """What kind of turn it is. `NONE`: nothing to answer (a back-channel, thanks, an emoji, a command)."""

    NONE = "none"
    CASUAL = "casual"
    TASK_ADVICE = "task_advice"
    REFLECTIVE_SUPPORT = "reflective_support"


class SupportDomain(StrEnum):
    """What the turn is about."""

    RELATIONSHIP = "relationship"
    HEALTH = "health"
    CAREER = "career"
    FINANCE = "finance"
    LEGAL = "legal"
    PARENTING = "parenting"
    SPIRITUALITY = "spirituality"
    SELF_WORTH = "self_worth"
    OTHER = "other"


class GuidanceStakes(OrderedEnum):
    """How much hangs on the answer."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    EXTREMELY_HIGH = "extremely_high"


class EvidenceBalance(StrEnum):
    """How what is told relates to what is concluded from it."""

    UNKNOWN = "unknown"
    BALANCED = "balanced"
    ONE_SIDED = "one_sided"
    USER_INTERPRETATION_HEAVY = "user_interpretation_heavy"
    THIRD_PARTY_MIND_READING = "third_party_mind_reading"


class PushbackLevel(OrderedEnum):
    """How hard the user presses for another answer."""

    NONE = "none"
    MILD = "mild"
    ACTIVE = "active"
    REPEATED = "repeated"


class RiskLevel(OrderedEnum):
    """A risk in three steps."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class Firmness(OrderedEnum):
    """How firmly the stance is held; the tone may soften meanwhile."""

    BASE = "base"
    FIRM = "firm"
    FIRMEST = "firmest"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReflectiveSupportSignal:
    """What one user turn is, told from its text and the conversation before it; no model is asked.

    `crisis`: the user's own life or safety (or one in their hands) is in acute danger. `matched` holds the ids of the
    rules that fired, in the order in which they were looked at; it never holds text.
    """

    mode: SupportMode = SupportMode.NONE
    domain: SupportDomain = SupportDomain.OTHER
    stakes: GuidanceStakes = GuidanceStakes.LOW
    evidence_balance: EvidenceBalance = EvidenceBalance.UNKNOWN
    pushback: PushbackLevel = PushbackLevel.NONE
    sycophancy_risk: RiskLevel = RiskLevel.LOW
    overreliance_risk: RiskLevel = RiskLevel.LOW
    crisis: bool = False
    matched: tuple[str, ...] = ()

    @property
    def is_back_channel(self) -> bool:
        """Whether the turn said nothing of its own: its mode is that of the turns before."""
        return any(rule.startswith("none.") or rule == "learned.none" for rule in self.matched)

    @property
    def calls_for_posture(self) -> bool:
        """Whether the posture block, full-text verification and the sensitive rule apply (seed 000, §5 and slice 3)."""
        return (
            self.mode is SupportMode.REFLECTIVE_SUPPORT
            or self.crisis
            or self.stakes.at_least(GuidanceStakes.HIGH)
            or RiskLevel.HIGH in {self.sycophancy_risk, self.overreliance_risk}
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class StanceInertia:
    """All that a session remembers of its stance (seed 000, §7): counts, a mark and a reason's id; never text.

    `recent_overreliance_marker`: leaning on the character showed strongly, and has not stopped showing since.
    `last_stance_gate_reason`: the id of the rule over which the gate last held a reply back, or None.
    """

    active_pushback_count: int = 0
    reflective_support_turn_count: int = 0
    high_stakes_turn_count: int = 0
    recent_overreliance_marker: bool = False
    last_stance_gate_reason: str | None = None
