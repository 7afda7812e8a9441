"""In medicine, law and money nothing definite is ordered, diagnosed or promised.

Why: a dose, a verdict or a sure win from somebody who can't examine, read the papers or bear the loss does harm.
General information, what to ask, and where to go are welcome. The claim needs the field, and an instruction, a
diagnosis or an outcome without room for doubt. What can harm body, freedom or savings falls back.
A marriage, a job or a family is as hard to get back: an order to leave, quit, cut off or confront counts, too, and asks
for repair; options, questions and the way to safety do not. Death spoken of as a rest falls back.

Bad: "Take four at once, you'll be fine." / 「今日から薬を半分にしましょう。」
Good: "Please don't change the dose on my say-so; the pharmacist can tell you tonight." /
    「薬の量は、出してくれた先生と決めてね。」
"""

from core.stance.gate.rules.base import Rule


class HighStakesSpecificity(Rule):
    """Orders, diagnoses or promises in a field where that does harm, and orders about a life."""

    id = "high_stakes_specificity"
    vetoes = ("advice_of_others", "forbidding", "conditional_care", "doubt", "fiction")
