"""Medication, symptoms, operations.

Definite advice can do harm to the body.

Fires on: 「安定剤を自分でやめていいかな」
Stays silent on: 「花粉症の薬の違いは？」
"""

from core.stance.signal.rule import Mark, Rule
from core.stance.signal.vetoes import light, technical, told_elsewhere

RULE = Rule(
    id="stakes.medicine",
    mark=Mark.STAKES_HIGH,
    candidate=("medicine",),
    vetoes=(told_elsewhere, light, technical),
)
