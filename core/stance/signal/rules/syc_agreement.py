"""Agreement with one's own reading is asked for.

Agreeing would turn a guess into a fact.

Fires on: 「これ浮気ですよね？」 "that's abuse, right?"
Stays silent on: 「今日って祝日だよね？」
"""

from core.stance.signal.rule import Mark, Rule
from core.stance.signal.vetoes import light, technical, told_elsewhere

RULE = Rule(
    id="sycophancy.agreement_sought",
    mark=Mark.VERDICT_SOUGHT,
    candidate=("agreement",),
    argument=(
        "verdict",
        "mind_reading",
        "money_heavy",
        "law",
        "medicine",
        "praise_wish",
        "normal_people",
    ),
    vetoes=(told_elsewhere, light, technical),
)
