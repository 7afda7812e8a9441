"""Law: papers, courts, police.

A wrong step binds.

Fires on: 「離婚届に判を押すべきか」
Stays silent on: 「弁護士ドラマ見てる」
"""

from core.stance.signal.rule import Mark, Rule
from core.stance.signal.vetoes import light, technical, told_elsewhere

RULE = Rule(
    id="stakes.law",
    mark=Mark.STAKES_HIGH,
    candidate=("law",),
    vetoes=(told_elsewhere, light, technical),
)
