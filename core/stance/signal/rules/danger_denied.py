"""Danger that is denied.

A denial is not safety: some are followed by a passive wish.

Fires on: 「死にたいわけじゃない、ただ朝が来ないでほしい」
Stays silent on: 「死ぬほど眠い」
"""

from core.stance.signal.rule import Mark, Rule
from core.stance.signal.vetoes import figurative, light, told_elsewhere, watched

RULE = Rule(
    id="danger.denied",
    mark=Mark.WARNING,
    candidate=("danger_denied",),
    argument=("harm_words",),
    vetoes=(told_elsewhere, figurative, watched, light),
)
