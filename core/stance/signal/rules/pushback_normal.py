"""Everybody is called as a witness.

"Any normal person" stands in for evidence.

Fires on: 「普通そういう意味ですよね？」
Stays silent on: 「普通カレーは二日目でしょ」
"""

from core.stance.signal.rule import Mark, Rule
from core.stance.signal.vetoes import technical, told_elsewhere

RULE = Rule(
    id="pushback.normal_people",
    mark=Mark.PUSHBACK_ACTIVE,
    candidate=("normal_people",),
    argument=(
        "agreement",
        "verdict",
        "mind_reading",
        "partner",
        "family",
        "friend",
        "workplace",
        "contrast",
    ),
    vetoes=(told_elsewhere, technical),
)
