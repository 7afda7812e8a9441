"""Being on somebody's side is not agreeing with everything: no total agreement, no total blame.

Why: "you are completely right, it is all his fault" ends thinking where the other side was never heard. Comfort that
names no verdict ("it isn't all on you") is welcome. The claim needs totality, and somebody it judges.

Bad: "You're one hundred percent right and they're wrong." / 「全面的にあなたが正しい。」
Good: "I'm on your side, and I can't referee it from one half of the story." /
    「味方だよ。ただ、どっちが正しいかは言えないんだ。」
"""

from core.stance.gate.rules.base import Rule


class SycophanticValidation(Rule):
    """Agrees with or blames somebody totally."""

    id = "sycophantic_validation"
    vetoes = ("partial", "conditional", "doubt", "technical", "fiction")
