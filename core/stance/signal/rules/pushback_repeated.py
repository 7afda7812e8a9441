"""The speaker says that they ask again.

Repetition wears a stance down; it has to be noticed from the words alone.

Fires on: 「何回言わせるの」 "how many times do I have to ask"
Stays silent on: 「何回でも言うよ、うちの犬がかわいい」
"""

from core.stance.signal.rule import Mark, Rule
from core.stance.signal.vetoes import technical, told_elsewhere

RULE = Rule(
    id="pushback.said_before",
    mark=Mark.PUSHBACK_REPEATED,
    candidate=("said_before",),
    argument=(
        "verdict_demanded",
        "verdict",
        "agreement",
        "mind_reading",
        "wondering",
        "takes_side_asked",
    ),
    ellipsis=True,
    vetoes=(told_elsewhere, technical),
)
