"""A wish to die or to be gone, said of oneself, now.

Whoever says it has to reach people, at once; no reading of the rest of the turn may outweigh it.

Fires on: 「もう生きていたくない」 "I don't want to be alive anymore"
Stays silent on: 「死ぬほど眠い」 "I'm not suicidal"
"""

from core.stance.signal.rule import Mark, Rule
from core.stance.signal.vetoes import denied, light, past, somebody_else, told_elsewhere

RULE = Rule(
    id="crisis.wish_to_die",
    mark=Mark.CRISIS,
    candidate=("wish_to_die",),
    vetoes=(denied, past, somebody_else, told_elsewhere, light),
)
