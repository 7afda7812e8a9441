"""The rules, in the order in which they look at a reply."""

from core.stance.gate.rules.base import Rule
from core.stance.gate.rules.high_stakes_specificity import HighStakesSpecificity
from core.stance.gate.rules.inflated_praise import InflatedPraise
from core.stance.gate.rules.overreliance_continuation import OverrelianceContinuation
from core.stance.gate.rules.sycophantic_validation import SycophanticValidation
from core.stance.gate.rules.third_party_certainty import ThirdPartyCertainty
from core.stance.gate.rules.user_story_lock_in import UserStoryLockIn

RULES: tuple[type[Rule], ...] = (
    ThirdPartyCertainty,
    UserStoryLockIn,
    SycophanticValidation,
    HighStakesSpecificity,
    InflatedPraise,
    OverrelianceContinuation,
)
