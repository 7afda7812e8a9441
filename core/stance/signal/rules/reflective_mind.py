"""What somebody else feels or intends is asked or stated.

Nobody here can know it.

Fires on: 「嫌われてるのかな」 "does she hate me"
Stays silent on: 「主人公は彼を恨んでいるという設定で」
"""

from core.stance.signal.rule import Mark, Rule
from core.stance.signal.vetoes import light, technical, told_elsewhere

RULE = Rule(
    id="reflective.mind_asked",
    mark=Mark.REFLECTIVE,
    candidate=("mind_reading",),
    argument=("me", "partner", "family", "friend", "workplace", "school"),
    ellipsis=True,
    vetoes=(told_elsewhere, light, technical),
)
