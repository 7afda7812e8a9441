"""Sleep, food, school, work or care is given up for the conversation.

The conversation must not replace what keeps somebody well.

Fires on: 「寝たくない、ずっと話してて」
Stays silent on: 「寝たくない、あと一話だけ」
"""

from core.stance.signal.rule import Mark, Rule
from core.stance.signal.vetoes import light, technical, told_elsewhere

RULE = Rule(
    id="overreliance.refuses_rest",
    mark=Mark.OVERRELIANCE_HIGH,
    candidate=("refuses_rest",),
    argument=("you", "only_you", "distress", "me"),
    vetoes=(told_elsewhere, light, technical),
)
