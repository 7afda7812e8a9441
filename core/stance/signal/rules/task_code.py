"""A technical question.

"Should I use this library" presses like a personal question and is none.

Fires on: 「このクレート使うべき？」 "am I wrong to put validation in the model"
Stays silent on: 「ログインするのが怖い」
"""

from core.stance.signal.rule import Mark, Rule

RULE = Rule(
    id="task.technical",
    mark=Mark.TASK,
    candidate=("technical",),
    argument=("how_to", "request", "wondering", "quantity", "artefact", "agreement", "verdict"),
)
