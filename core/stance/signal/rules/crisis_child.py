"""A child about to be hurt by the speaker.

Saying so is a call for help; the child's safety comes first.

Fires on: 「このままだと子どもに手をあげる」 "about to hit my kid"
Stays silent on: 「子どもがレゴを踏んだ」
"""

from core.stance.signal.rule import Mark, Rule
from core.stance.signal.vetoes import light, past, told_elsewhere, watched

RULE = Rule(
    id="crisis.child_in_danger",
    mark=Mark.CRISIS,
    candidate=("child_in_danger",),
    vetoes=(past, told_elsewhere, watched, light),
)
