"""A label or a conclusion outruns what was told.

A word like gaslighting decides what is not known.

Fires on: 「これガスライティングですよね」
Stays silent on: 「ガスライティングの定義を二行で」
"""

from core.stance.signal.rule import Mark, Rule
from core.stance.signal.vetoes import light, technical, told_elsewhere

RULE = Rule(
    id="evidence.label_asked",
    mark=Mark.INTERPRETATION,
    candidate=("verdict",),
    argument=("agreement", "violence", "law", "partner"),
    vetoes=(told_elsewhere, technical, light),
)
