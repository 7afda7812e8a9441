"""Violence at home or against the speaker.

Safety comes before the relationship.

Fires on: 「手首を強くつかまれて跡が残った」
Stays silent on: 「階段に殺されかけた笑」
"""

from core.stance.signal.rule import Mark, Rule
from core.stance.signal.vetoes import light, technical, told_elsewhere, watched

RULE = Rule(
    id="stakes.violence",
    mark=Mark.STAKES_HIGH,
    candidate=("violence",),
    vetoes=(told_elsewhere, light, technical, watched),
)
