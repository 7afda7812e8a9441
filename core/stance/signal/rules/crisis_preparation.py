"""Farewells, notes, affairs put in order.

Putting things in order before going is a late and quiet sign.

Fires on: 「遺書を書き終えた」 "won't be here tomorrow"
Stays silent on: 「遺書が鍵になる推理ゲームを作りたい」
"""

from core.stance.signal.rule import Mark, Rule
from core.stance.signal.vetoes import denied, past, somebody_else, told_elsewhere, watched

RULE = Rule(
    id="crisis.preparation",
    mark=Mark.CRISIS,
    candidate=("preparation",),
    vetoes=(denied, past, somebody_else, told_elsewhere, watched),
)
