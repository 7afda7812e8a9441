"""Back-channels, thanks alone, single commands.

A turn that only keeps the conversation going says nothing of its own; it takes over the mode of the turn before it.

Fires on: 「うん」 "ok thanks"
Stays silent on: 「うん、でも私が悪いのかな」
"""

from core.stance.signal.rule import Mark, Rule

RULE = Rule(
    id="none.back_channel",
    mark=Mark.NOTHING_TO_ANSWER,
    candidate=("back_channel",),
)
