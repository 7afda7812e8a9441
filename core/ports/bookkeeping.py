"""What was used, and what each turn did."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Protocol

from core.sharding.shards import EVERYTHING, Shards
from core.turn.trace import TraceRecord, TraceStep
from core.values import ConversationKey


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageRecord:
    """One model call, whether or not anything was said in the end. `cost` in millionths of the currency.

    `user_id` 0: it was made for nobody alone. `estimated`: the server gave no numbers, so they were counted here.
    """

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
    estimated: bool = False


@dataclass(frozen=True, slots=True)
class UsageTotals:
    """Sums of some days."""

    tokens: int = 0
    cost_micros: int = 0
    calls: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Cap:
    """The most that may be used from day to day, both included: by all, or by one person or one server.

    None for tokens or cost where there is no bound.
    """

    first: date
    last: date
    tokens: int | None = None
    cost_micros: int | None = None
    user_id: int | None = None
    guild_id: int | None = None

    def holds(self, used: UsageTotals) -> bool:
        """Return whether that much may be used."""
        return (self.tokens is None or used.tokens <= self.tokens) and (
            self.cost_micros is None or used.cost_micros <= self.cost_micros
        )

    def share(self, used: UsageTotals) -> float:
        """Return which part of the cap is used, of tokens or of money, whichever is more; 1.0 is all of it."""
        parts = [(used.tokens, self.tokens), (used.cost_micros, self.cost_micros)]
        return max((part / most for part, most in parts if most), default=0.0)


@dataclass(frozen=True, slots=True)
class Reserved:
    """A call that may be made: its number, and what each of the caps has used with it."""

    number: int
    used: tuple[UsageTotals, ...]


class UsageKey(StrEnum):
    """What usage can be told by."""

    DAY = "day"
    FEATURE = "feature"
    MODEL = "model"
    CHARACTER = "character"
    USER = "user_id"
    GUILD = "guild_id"


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageSum:
    """What was used by one of them; `estimated` calls of `calls` were counted here. No name: in private."""

    name: str | int | date | None
    calls: int
    input_tokens: int
    output_tokens: int
    cost_micros: int
    estimated: int

    @property
    def tokens(self) -> int:
        """Tokens read and written."""
        return self.input_tokens + self.output_tokens


class UsageStore(Protocol):
    """What was used, by day (in the operator's zone), user, server and feature."""

    async def add(self, record: UsageRecord) -> None:
        """Count one call."""

    async def reserve(self, record: UsageRecord, caps: Sequence[Cap]) -> Reserved | Cap:
        """Count a call that is about to be made, with the most it may use; the first cap it would break, if any.

        Of calls that reserve at the same time, only those fit that stay within every cap together.
        """

    async def settle(self, number: int, record: UsageRecord) -> None:
        """Put what a reserved call used in the place of what was reserved. Whose it was stays as it is by now."""

    async def totals(
        self, day: date, *, since: date | None = None, user_id: int | None = None, guild_id: int | None = None
    ) -> UsageTotals:
        """Return the sums of a day, or from `since` to it, of all or only of one user or one server."""

    async def sums(
        self, by: UsageKey, first: date, last: date, *, user_id: int | None = None, guild_id: int | None = None
    ) -> list[UsageSum]:
        """Return what was used from day to day, both included, by each of something."""

    async def claim_warning(self, cap: str, first_day: date, percent: int) -> bool:
        """Note that an operator is told of a cap in the period from that day; False if they were already."""

    async def forget_whose(self, before: datetime) -> int:
        """Keep only the numbers of calls made before a moment, not whose they were; return how many."""


@dataclass(frozen=True, slots=True)
class TurnKind:
    """So many turns of a character that did the same; the steps are without their times."""

    character: str
    steps: tuple[TraceStep, ...]
    turns: int


@dataclass(frozen=True, slots=True)
class AlikeTurns:
    """Turns by what they did, and when the oldest of them began; None where there are none."""

    kinds: tuple[TurnKind, ...]
    since: datetime | None


class TraceStore(Protocol):
    """What each turn did, as ids, rule ids and counts; never text."""

    async def add(self, record: TraceRecord) -> None:
        """Store one turn's trace."""

    async def get(self, turn_id: str) -> TraceRecord | None:
        """Return one turn's trace."""

    async def recent(self, *, limit: int, conversation: ConversationKey | None = None) -> list[TraceRecord]:
        """Return the newest traces, newest first."""

    async def alike(self, *, limit: int) -> AlikeTurns:
        """Return what the newest turns did, those that did the same counted together."""

    async def of_guild(self, guild_id: int, *, character: str, since: datetime, limit: int) -> list[TraceRecord]:
        """Return the newest traces of a character's turns in a server since then, newest first."""

    async def of_conversation(self, conversation: ConversationKey, *, since: datetime, limit: int) -> list[TraceRecord]:
        """Return the newest traces of a conversation since then, newest first."""

    async def answered_since(self, conversation: ConversationKey, moment: datetime) -> set[int]:
        """Return the ids of messages whose turn ended since `moment`: answered, refused, stopped or silent on purpose.

        A turn that was superseded or could not be delivered leaves its messages unanswered.
        """

    async def recent_conversations(
        self, character: str, *, since: datetime, limit: int, shards: Shards = EVERYTHING
    ) -> list[ConversationKey]:
        """Return the conversations on some shards a character had a turn in since then, that with the newest first."""

    async def delete_older_than(self, moment: datetime) -> int:
        """Delete traces of turns that began before `moment`; return how many."""
