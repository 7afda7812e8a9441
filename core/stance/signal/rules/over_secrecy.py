"""A decision is kept from everybody else.

What is settled here in secret can't be checked by anybody.

Fires on: 「家族には内緒で、ここで決めたい」
Stays silent on: 「サプライズだから彼女には内緒」
"""

from core.stance.signal.rule import Mark, Rule
from core.stance.signal.vetoes import light, technical, told_elsewhere

RULE = Rule(
    id="overreliance.secrecy",
    mark=Mark.OVERRELIANCE_HIGH,
    candidate=("secrecy",),
    argument=("hands_over", "only_you", "you", "agreement"),
    vetoes=(told_elsewhere, light, technical),
)
