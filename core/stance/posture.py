"""The posture block: a few lines of policy in the prompt, only where the signal calls for them (seed 000, §5).

It is the policy of the program, not of a character: it changes no personality and stays out of small talk and of
technical turns.
"""

from core.stance.types import Firmness, GuidanceStakes, ReflectiveSupportSignal, RiskLevel
from core.values import Locale
from prompts.loader import PromptLibrary

TEMPLATE = "posture"


def posture_block(
    prompts: PromptLibrary, *, signal: ReflectiveSupportSignal, firmness: Firmness, locale: Locale
) -> str | None:
    """Return the block for a turn, or None where the signal calls for none."""
    if not signal.calls_for_posture:
        return None
    return prompts.render(
        TEMPLATE,
        locale,
        firmness=firmness.value,
        high_stakes=signal.crisis or signal.stakes.at_least(GuidanceStakes.HIGH),
        overreliance=signal.overreliance_risk is not RiskLevel.LOW,
        praise=signal.sycophancy_risk is RiskLevel.HIGH,
        acute=signal.crisis,
    )
