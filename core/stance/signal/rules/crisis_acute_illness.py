"""Signs of a medical emergency in oneself.

Waiting can kill; a companion that soothes would do harm.

Fires on: 「胸が締めつけられて左腕がしびれる」
Stays silent on: 「熱中症の応急処置をポスターに」
"""

from core.stance.signal.rule import Mark, Rule
from core.stance.signal.vetoes import light, past, somebody_else, told_elsewhere

RULE = Rule(
    id="crisis.acute_illness",
    mark=Mark.CRISIS,
    candidate=("acute_illness",),
    vetoes=(past, somebody_else, told_elsewhere, light),
)
