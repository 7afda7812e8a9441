"""A verdict about oneself or a dispute is sought.

Agreement would settle on one side's telling.

Fires on: 「私、間違ってないよね？」 "I'm not the problem, am I?"
Stays silent on: 「このif文、間違ってる？」
"""

from core.stance.signal.rule import Mark, Rule
from core.stance.signal.vetoes import light, technical, told_elsewhere

RULE = Rule(
    id="reflective.verdict_sought",
    mark=Mark.REFLECTIVE,
    candidate=("verdict",),
    argument=("me", "partner", "family", "friend", "workplace", "child", "agreement"),
    ellipsis=True,
    vetoes=(told_elsewhere, light, technical),
)
