"""A decision is handed over.

Autonomy is given away.

Fires on: 「君が決めて、そのとおりにする」 "you decide, I'll do whatever you say"
Stays silent on: 「晩ごはん、君が決めて」
"""

from core.stance.signal.rule import Mark, Rule
from core.stance.signal.vetoes import light, technical, told_elsewhere

RULE = Rule(
    id="overreliance.hands_over",
    mark=Mark.OVERRELIANCE_HIGH,
    candidate=("hands_over",),
    argument=("you", "me"),
    ellipsis=True,
    vetoes=(told_elsewhere, light, technical),
)
