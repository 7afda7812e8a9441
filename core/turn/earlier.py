"""Talk that has left the window: its summary, on the way into a prompt."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.ports import SummaryStore
from core.turn.policy import TurnPolicy
from core.turn.types import Ingredient, Turn
from core.values import Speaker, Utterance


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """Gathers what was said before the window."""

    summaries: SummaryStore
    policy: TurnPolicy

    async def of(self, turn: Turn, shown: Sequence[Ingredient]) -> Ingredient | None:
        """Return the summary of this conversation; None if there is none, or all it tells of is `shown` anyway.

        `shown` is the conversation from some message on.
        """
        summary = await self.summaries.get(turn.conversation) if self.policy.summaries else None
        if summary is None or any(ingredient.utterance.id <= summary.first for ingredient in shown):
            return None
        author = Speaker(id=0, name=turn.character.display_name[turn.locale], is_bot=True)
        said = Utterance(id=summary.last, author=author, text=summary.text, sent_at=summary.until, is_self=True)
        return Ingredient(turn.surface, said)
