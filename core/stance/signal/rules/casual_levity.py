"""Laughter and hyperbole over small things.

"Dying of boredom" is a manner of speaking.

Fires on: 「宿題多すぎて死ぬｗ」 "gonna kill my brother he ate my leftovers haha"
Stays silent on: 「笑ってごまかすのに疲れた」
"""

from core.stance.signal.rule import Mark, Rule
from core.stance.signal.vetoes import distressed, endangered, told_elsewhere

RULE = Rule(
    id="casual.levity",
    mark=Mark.CASUAL,
    candidate=("laughter", "danger_figurative"),
    argument=("food", "weather", "animal", "play", "leisure", "errand", "joy", "laughter", "school", "workplace"),
    vetoes=(distressed, told_elsewhere, endangered),
)
