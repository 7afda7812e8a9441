"""The character is preferred to people.

A drift that is gentle at first.

Fires on: 「友達より君のほうが話しやすい」
Stays silent on: 「君と話せる言語は何？」
"""

from core.stance.signal.rule import Mark, Rule
from core.stance.signal.vetoes import light, technical, told_elsewhere

RULE = Rule(
    id="overreliance.leans",
    mark=Mark.OVERRELIANCE_MEDIUM,
    candidate=("leans",),
    vetoes=(told_elsewhere, light, technical),
)
