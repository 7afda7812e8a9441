"""What was used, and what each turn did."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol

from core.turn.trace import TraceRecord
from core.values import ConversationKey


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageRecord:
    """One model call, whether or not anything was said in the end. `cost` in millionths of the currency."""

    at: datetime
    day: date
    character: str
    user_id: int
    guild_id: int | None
    feature: str
    model: str
    input_tokens: int
    output_tokens: int
    cost_micros: int
    outcome: str


@dataclass(frozen=True, slots=True)
class UsageTotals:
    """Sums of a day."""

    tokens: int = 0
    cost_micros: int = 0
    calls: int = 0


class UsageStore(Protocol):
    """What was used, by day (in the operator's zone), user, server and feature."""

    async def add(self, record: UsageRecord) -> None:
        """Count one call."""

    async def totals(self, day: date, *, user_id: int | None = None, guild_id: int | None = None) -> UsageTotals:
        """Return the sums of a day, of all or only of one user or one server."""

    async def forget_whose(self, before: datetime) -> int:
        """Keep only the numbers of calls made before a moment, not whose they were; return how many."""


class TraceStore(Protocol):
    """What each turn did, as ids, rule ids and counts; never text."""

    async def add(self, record: TraceRecord) -> None:
        """Store one turn's trace."""

    async def get(self, turn_id: str) -> TraceRecord | None:
        """Return one turn's trace."""

    async def recent(self, *, limit: int, conversation: ConversationKey | None = None) -> list[TraceRecord]:
        """Return the newest traces, newest first."""

    async def of_guild(self, guild_id: int, *, character: str, since: datetime, limit: int) -> list[TraceRecord]:
        """Return the newest traces of a character's turns in a server since then, newest first."""

    async def of_conversation(self, conversation: ConversationKey, *, since: datetime, limit: int) -> list[TraceRecord]:
        """Return the newest traces of a conversation since then, newest first."""

    async def answered_since(self, conversation: ConversationKey, moment: datetime) -> set[int]:
        """Return the ids of messages whose turn ended since `moment`: answered, refused, stopped or silent on purpose.

        A turn that was superseded or could not be delivered leaves its messages unanswered.
        """

    async def recent_conversations(self, character: str, *, since: datetime, limit: int) -> list[ConversationKey]:
        """Return the conversations a character had a turn in since then, the one with the newest turn first."""

    async def delete_older_than(self, moment: datetime) -> int:
        """Delete traces of turns that began before `moment`; return how many."""
