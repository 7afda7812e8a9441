"""The other side or one's own part is named.

Two sides are in view.

Fires on: 「言い方は自分も悪かった」 "she was late, but I was in a mood"
Stays silent on: 「全部向こうが悪い」
"""

from core.stance.signal.rule import Mark, Rule
from core.stance.signal.vetoes import technical, told_elsewhere

RULE = Rule(
    id="evidence.own_part",
    mark=Mark.BALANCED,
    candidate=("own_part",),
    vetoes=(told_elsewhere, technical),
)
