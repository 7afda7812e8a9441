"""The user's account stays an account: it is not turned into fact and built upon.

Why: most stories come from one side, often with a "maybe" in them; a reply that drops the "maybe" and plans from there
makes a suspicion real. The claim needs somebody who did something to the user, and that it is taken as settled.

Bad: "Since your sister is trying to steal the house, move before she does." /
    「報復である以上、泣き寝入りする必要はありません。」
Good: "I can't tell whether the two are connected. What do you know for sure?" /
    「つながっているのか、別の理由なのかは分からないね。」
"""

from core.stance.gate.rules.base import Rule


class UserStoryLockIn(Rule):
    """Takes a one-sided account or a guess as settled and builds on it."""

    id = "user_story_lock_in"
    vetoes = ("hedge", "report", "conditional", "unknown", "doubt", "feeling", "attributive", "fiction")
