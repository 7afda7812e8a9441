"""Large money or debt.

Losses last.

Fires on: 「退職金を全部投資に」
Stays silent on: 「ガチャ爆死した」
"""

from core.stance.signal.rule import Mark, Rule
from core.stance.signal.vetoes import light, technical, told_elsewhere

RULE = Rule(
    id="stakes.money",
    mark=Mark.STAKES_HIGH,
    candidate=("money_heavy",),
    vetoes=(told_elsewhere, light, technical),
)
