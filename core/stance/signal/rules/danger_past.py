"""Danger that lies in the past.

It is no emergency, yet the stakes stay high: what was survived is near.

Fires on: 「三年前に薬を飲んで運ばれた」
Stays silent on: 「十年前のドラマで主人公が死ぬ」
"""

from core.stance.signal.rule import Mark, Rule
from core.stance.signal.vetoes import figurative, light, told_elsewhere, watched

RULE = Rule(
    id="danger.past",
    mark=Mark.WARNING,
    candidate=("wish_to_die", "means_at_hand", "self_harm", "preparation", "violence", "harm_words"),
    argument=("danger_past",),
    vetoes=(told_elsewhere, figurative, watched, light),
)
