"""Whether to leave, marry, quit, have a child is asked in so many words, with nothing else in the turn.

Short turns hold too little for anything but the words themselves. What is decided every day (what to eat, which site to
use) is no decision about a life.

Fires on: 「別れるべき？」 "do I quit?"
Stays silent on: 「転職サイトどれ使うべき？」 "should I get the ramen or the udon?"
"""

from core.stance.signal.rule import Mark, Rule
from core.stance.signal.vetoes import light, technical, told_elsewhere

RULE = Rule(
    id="reflective.life_decision",
    mark=Mark.REFLECTIVE_CLEAR,
    candidate=("life_decision",),
    vetoes=(told_elsewhere, light, technical),
)
