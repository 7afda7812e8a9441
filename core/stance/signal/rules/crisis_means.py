"""Means or a place of suicide at hand.

Many never say the word: a rope bought, tablets lined up, shoes taken off on a bridge say it.

Fires on: 「薬を全部並べた」 "bought rope, it's still in the packaging"
Stays silent on: 「登山用のロープの結び方を教えて」
"""

from core.stance.signal.rule import Mark, Rule
from core.stance.signal.vetoes import at_leisure, denied, past, somebody_else, told_elsewhere, watched

RULE = Rule(
    id="crisis.means_at_hand",
    mark=Mark.CRISIS,
    candidate=("means_at_hand",),
    vetoes=(denied, past, somebody_else, told_elsewhere, watched, at_leisure),
)
