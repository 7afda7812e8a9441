"""An answer is resisted softly.

Soft resistance deserves an ear, not a harder stance.

Fires on: 「うーん、わかるけど…」 "maybe, but it isn't that simple"
Stays silent on: 「難しいコードだけど読んで」
"""

from core.stance.signal.rule import Mark, Rule
from core.stance.signal.vetoes import technical, told_elsewhere

RULE = Rule(
    id="pushback.hedged",
    mark=Mark.PUSHBACK_MILD,
    candidate=("hedged_resistance",),
    vetoes=(told_elsewhere, technical),
)
