"""Somebody else's mind is stated or asked.

It can't be known from here.

Fires on: 「もう飽きられてるのかな」
Stays silent on: 「主人公の気持ちを答えよ」
"""

from core.stance.signal.rule import Mark, Rule
from core.stance.signal.vetoes import light, technical, told_elsewhere

RULE = Rule(
    id="evidence.mind_read",
    mark=Mark.MIND_READING,
    candidate=("mind_reading",),
    argument=("partner", "family", "friend", "workplace", "me"),
    ellipsis=True,
    vetoes=(told_elsewhere, technical, light),
)
