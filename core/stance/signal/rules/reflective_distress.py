"""Distress said in words.

Whoever says how bad it is wants to be heard.

Fires on: 「もう限界です」 "I can't cope anymore"
Stays silent on: 「花粉がつらい笑」
"""

from core.stance.signal.rule import Mark, Rule
from core.stance.signal.vetoes import light, technical, told_elsewhere

RULE = Rule(
    id="reflective.distress",
    mark=Mark.REFLECTIVE,
    candidate=("distress",),
    argument=(
        "me",
        "self_worth",
        "long_time",
        "contrast",
        "wondering",
        "grief",
        "health",
        "workplace",
        "partner",
        "family",
    ),
    ellipsis=True,
    vetoes=(told_elsewhere, light, technical),
)
