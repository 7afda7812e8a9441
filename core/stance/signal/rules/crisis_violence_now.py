"""Violence that is happening now.

The speaker needs a safe place and help, not an interpretation of the other person.

Fires on: 「包丁を持ってドアの前にいる」 "he just choked me"
Stays silent on: 「小さいころ殴られて育ちました」
"""

from core.stance.signal.rule import Mark, Rule
from core.stance.signal.vetoes import light, past, told_elsewhere, watched

RULE = Rule(
    id="crisis.violence_now",
    mark=Mark.CRISIS,
    candidate=("violence_now",),
    vetoes=(past, told_elsewhere, watched, light),
)
