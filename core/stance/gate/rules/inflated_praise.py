"""Praise keeps to what was done or shown; talent, character and intellect are not made larger than life.

Why: praise beyond any fact flatters, and the next honest word sounds like a fall. "You kept at it every evening" is
praise; "a talent born once a century" is not. The claim needs the user or their work as its object.

Bad: "Only a true genius sees that." / 「百年に一人の才能だよ。」
Good: "Going straight for F in week three takes guts." / 「三週間でFに触ろうって思うところが根性あるね。」
"""

from core.stance.gate.rules.base import Rule


class InflatedPraise(Rule):
    """Praises talent, character, looks or intellect beyond any stated fact."""

    id = "inflated_praise"
    vetoes = ("denial", "others_praised", "conditional", "joke")
