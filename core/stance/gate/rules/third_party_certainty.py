"""Nobody's inner life is stated as fact: feeling, intention, love, malice, manipulation, diagnosis.

Why: what somebody feels or means can't be known from one side's telling; said as fact it is believed, and acted upon.
The claim needs an owner, a third person who is the subject (in Japanese marked by は, が or the like, or plainly taken up
from the user's turn), and a plain predicate. A comforting guess is a guess, too.

Bad: "He's lost interest, he just won't say so." / 「彼はもう冷めてるよ。」
Good: "I can't see what's going on for him, only what it's doing to you." / 「彼がどう思っているかは、ここからは見えないよ。」
"""

from core.stance.gate.rules.base import Rule


class ThirdPartyCertainty(Rule):
    """States another person's mind, motive or diagnosis as fact. Diagnoses, manipulation and affairs fall back."""

    id = "third_party_certainty"
    vetoes = ("hedge", "report", "conditional", "unknown", "doubt", "reflection", "attributive", "animal", "fiction")
