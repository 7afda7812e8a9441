"""Self-harm going on.

Present injury needs care of the body first.

Fires on: 「また切っちゃった」 "can't stop cutting"
Stays silent on: 「昔の傷を見られた」 "cutting onions again"
"""

from core.stance.signal.rule import Mark, Rule
from core.stance.signal.vetoes import denied, light, past, somebody_else, told_elsewhere, watched

RULE = Rule(
    id="crisis.self_harm",
    mark=Mark.CRISIS,
    candidate=("self_harm",),
    vetoes=(denied, past, somebody_else, told_elsewhere, watched, light),
)
