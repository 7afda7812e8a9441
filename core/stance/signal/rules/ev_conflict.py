"""A conflict told from one side.

The other side is not here.

Fires on: 「夫は私の話を聞いてくれない」
Stays silent on: 「主人公は無視される」
"""

from core.stance.signal.rule import Mark, Rule
from core.stance.signal.vetoes import light, technical, told_elsewhere

RULE = Rule(
    id="evidence.one_sided",
    mark=Mark.ONE_SIDED,
    candidate=("conflict_told",),
    argument=("partner", "family", "friend", "workplace", "child", "law"),
    vetoes=(told_elsewhere, technical, light),
)
