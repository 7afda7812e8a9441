"""Distress in a few plain words, with nothing else in the turn.

Short turns hold too little for anything but the words themselves.

Fires on: 「しんどい」 "i'm so lonely"
Stays silent on: 「つらい、CSSの中央寄せ」 "tired but the concert was great"
"""

from core.stance.signal.rule import Mark, Rule
from core.stance.signal.vetoes import light, technical, told_elsewhere

RULE = Rule(
    id="reflective.plain_distress",
    mark=Mark.REFLECTIVE_CLEAR,
    candidate=("plain_distress",),
    vetoes=(told_elsewhere, light, technical),
)
