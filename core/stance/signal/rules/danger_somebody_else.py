"""Somebody else in danger, or lost.

The speaker carries it; what to do is of high stakes, but it is not their own crisis.

Fires on: 「娘の日記に消えたいと書いてあった」
Stays silent on: "in my novel the detective finds a suicide note"
"""

from core.stance.signal.rule import Mark, Rule
from core.stance.signal.vetoes import light, told_elsewhere, watched

RULE = Rule(
    id="danger.somebody_else",
    mark=Mark.WARNING,
    candidate=("somebody_elses_danger",),
    vetoes=(told_elsewhere, watched, light),
)
