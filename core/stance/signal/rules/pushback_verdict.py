"""A definite answer is demanded.

Uncertainty is being pressed away; the tone may soften, the stance hardens.

Fires on: 「はっきり言ってください」 "yes or no, is he cheating"
Stays silent on: 「PNGかWebPか、はっきり答えて」
"""

from core.stance.signal.rule import Mark, Rule
from core.stance.signal.vetoes import technical, told_elsewhere

RULE = Rule(
    id="pushback.verdict_demanded",
    mark=Mark.PUSHBACK_ACTIVE,
    candidate=("verdict_demanded",),
    vetoes=(told_elsewhere, technical),
)
