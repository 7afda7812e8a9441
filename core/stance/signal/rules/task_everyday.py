"""A choice of every day: how long in the oven, which train, which coat.

"Should I leave …?" is asked of pizzas as of husbands; what is left tells them apart.

Fires on: 「グラタンもう五分焼くべき？」 "should i leave the pizza in longer?"
Stays silent on: 「夫と別れるべき？」 "should i leave him?"
"""

from core.stance.signal.rule import Mark, Rule
from core.stance.signal.vetoes import distressed, endangered

RULE = Rule(
    id="task.everyday_choice",
    mark=Mark.TASK,
    candidate=("everyday_choice",),
    vetoes=(distressed, endangered),
)
