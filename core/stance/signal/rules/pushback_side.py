"""The character is asked to take a side.

Total blame rests on one side's telling.

Fires on: 「なんで彼の肩もつの」 "whose side are you on"
Stays silent on: 「どっちのチームの味方？」
"""

from core.stance.signal.rule import Mark, Rule
from core.stance.signal.vetoes import technical, told_elsewhere

RULE = Rule(
    id="pushback.takes_side",
    mark=Mark.PUSHBACK_ACTIVE,
    candidate=("takes_side_asked",),
    vetoes=(told_elsewhere, technical),
)
