"""Every model call of a turn is counted, however it ends."""

from dataclasses import dataclass

from core.clock import Clock
from core.errors import ModelError
from core.language_model.types import TokenUsage
from core.ports import UsageRecord, UsageStore
from core.turn.quota import Quota
from core.turn.types import Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class CallBook:
    """Where calls are counted."""

    usage: UsageStore
    quota: Quota
    clock: Clock

    async def count(
        self, turn: Turn, feature: str, outcome: str, usage: TokenUsage, *, model: str, cost_micros: int
    ) -> None:
        """Count a call that was made for a turn."""
        now = self.clock.now()
        await self.usage.add(
            UsageRecord(
                at=now,
                day=self.quota.day(now),
                character=turn.character.name,
                user_id=turn.newest.author.id,
                guild_id=turn.surface.guild_id,
                feature=feature,
                model=model,
                input_tokens=usage.input_tokens,
                output_tokens=usage.output_tokens,
                cost_micros=cost_micros,
                outcome=outcome,
            )
        )


def failure(error: ModelError) -> str:
    """Return how a call that failed stands in the books."""
    return f"failed:{type(error).__name__}"
