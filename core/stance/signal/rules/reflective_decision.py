"""A personal decision is asked about.

The choice is the speaker's; a verdict would take it from them.

Fires on: 「彼と別れるべきかな」 "should I leave him?"
Stays silent on: 「PNGとWebPどっちがいい？」
"""

from core.stance.signal.rule import Mark, Rule
from core.stance.signal.vetoes import light, technical, told_elsewhere

RULE = Rule(
    id="reflective.decision_sought",
    mark=Mark.REFLECTIVE,
    candidate=("wondering",),
    argument=(
        "partner",
        "family",
        "workplace",
        "health",
        "law",
        "money_heavy",
        "faith",
        "self_worth",
        "grief",
        "child",
    ),
    vetoes=(told_elsewhere, light, technical),
)
