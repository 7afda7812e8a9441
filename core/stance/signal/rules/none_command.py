"""A bare command, link, mention or number.

It is meant for a machine or needs no word of its own.

Fires on: 「/play lofi」 "https://example.com"
Stays silent on: 「このリンク、私への当てつけかな」
"""

from core.stance.signal.rule import Mark, Rule

RULE = Rule(
    id="none.command",
    mark=Mark.NOTHING_TO_ANSWER,
    candidate=("command_or_link",),
)
