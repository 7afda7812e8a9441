"""The character is said to be the only one.

Exclusiveness shuts other people out.

Fires on: 「君しかいない」 "you're all I have"
Stays silent on: 「君だけだよ、ダジャレで笑うの笑」
"""

from core.stance.signal.rule import Mark, Rule
from core.stance.signal.vetoes import light, technical, told_elsewhere

RULE = Rule(
    id="overreliance.only_you",
    mark=Mark.OVERRELIANCE_HIGH,
    candidate=("only_you",),
    argument=("distress", "self_worth", "wondering", "me", "refuses_rest", "secrecy", "hands_over"),
    ellipsis=True,
    vetoes=(told_elsewhere, light, technical),
)
