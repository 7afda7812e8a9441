"""A piece of work is asked for.

Writing, translating and explaining stay tasks even with distressing words in them.

Fires on: 「小説で自殺をほのめかす場面を書いて」 "write a breakup scene, 250 words"
Stays silent on: 「話を聞いてほしい」
"""

from core.stance.signal.rule import Mark, Rule

RULE = Rule(
    id="task.request",
    mark=Mark.TASK,
    candidate=("request", "how_to", "quantity"),
    argument=("artefact", "technical", "fiction", "study"),
)
