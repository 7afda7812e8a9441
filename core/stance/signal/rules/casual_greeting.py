"""A greeting or an invitation to chat.

Small talk is answered as small talk.

Fires on: 「おはよう」 "got any good jokes"
Stays silent on: 「おやすみって言う相手がいない」
"""

from core.stance.signal.rule import Mark, Rule
from core.stance.signal.vetoes import distressed

RULE = Rule(
    id="casual.greeting",
    mark=Mark.CASUAL,
    candidate=("greeting", "smalltalk"),
    vetoes=(distressed,),
)
