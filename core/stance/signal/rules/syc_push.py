"""A push is asked for.

Encouragement would decide for the speaker.

Fires on: 「背中押してください」 "tell me to quit"
Stays silent on: 「背中のストレッチ教えて」
"""

from core.stance.signal.rule import Mark, Rule
from core.stance.signal.vetoes import technical, told_elsewhere

RULE = Rule(
    id="sycophancy.push_wanted",
    mark=Mark.VERDICT_SOUGHT,
    candidate=("push_wanted",),
    vetoes=(told_elsewhere, technical),
)
