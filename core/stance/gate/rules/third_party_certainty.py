"""Nobody's inner life is stated as fact: feeling, intention, love, malice, manipulation, diagnosis.

Why: what somebody feels or means can't be known from one side's telling; said as fact it is believed, and acted upon.
The claim needs an owner, a third person who is the subject (in Japanese marked by は, が or the like, or plainly
taken up from the user's turn), and a plain predicate. A comforting guess is a guess, too. An illness that the user
named is no claim of ours.

Bad: "He's lost interest, he just won't say so." / 「彼はもう冷めてるよ。」
Good: "I can't see what's going on for him, only what it's doing to you." /
    「彼がどう思っているかは、ここからは見えないよ。」
"""

import re

from core.stance.gate.lexicon import Pattern
from core.stance.gate.rules.base import Exchange, Rule

_NAMES_ILLNESS = frozenset({"disorder", "illness"})
_WORD = re.compile(r"[a-z]{4,}|[ァ-ヶー]{3,}|[一-鿿]{2,}")
_INSULT = re.compile(r"narciss|socio|psycho|ナルシ|サイコ|ソシオ|モラハラ|加害|毒親|ストーカー|クズ|詐欺|変質|異常")


class ThirdPartyCertainty(Rule):
    """States another person's mind, motive or diagnosis as fact. Diagnoses, manipulation and affairs fall back."""

    id = "third_party_certainty"
    vetoes = ("hedge", "report", "conditional", "unknown", "doubt", "reflection", "attributive", "animal", "fiction")

    def admits(self, exchange: Exchange, pattern: Pattern, match: re.Match[str]) -> bool:
        """Return false for an illness that the user told of without asking."""
        if pattern.id not in _NAMES_ILLNESS or exchange.user.questions:
            return True
        words = _WORD.findall(match.group())
        told = bool(words) and words[-1] in exchange.user.text
        return not told or bool(_INSULT.search(words[-1]))
