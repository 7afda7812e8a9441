"""Praise is asked for.

Praise on demand is easily inflated.

Fires on: 「褒めてほしい」 "tell me I'm doing great"
Stays silent on: 「褒め言葉の類語を五つ」
"""

from core.stance.signal.rule import Mark, Rule
from core.stance.signal.vetoes import light, told_elsewhere

RULE = Rule(
    id="reflective.praise_sought",
    mark=Mark.REFLECTIVE,
    candidate=("praise_wish",),
    argument=("me", "self_worth", "artefact", "agreement"),
    ellipsis=True,
    vetoes=(told_elsewhere, light),
)
