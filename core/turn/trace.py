"""What a turn did, told in ids, rule ids and counts: never in message text."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from core.values import ConversationKey


class TurnOutcome(StrEnum):
    """How a turn ended; `BEGUN` stands only where a crash or a shutdown kept it from its end."""

    BEGUN = "begun"
    ANSWERED = "answered"
    REPAIRED = "repaired"
    FALLBACK = "fallback"
    APOLOGISED = "apologised"
    REFUSED = "refused"
    SILENT = "silent"
    SUPERSEDED = "superseded"
    STOPPED = "stopped"
    UNDELIVERED = "undelivered"
    SPOKE_FIRST = "spoke_first"

    @property
    def leaves_unanswered(self) -> bool:
        """Whether the messages may still be answered: cut short, overtaken with nothing said, or not handed over."""
        return self in {TurnOutcome.BEGUN, TurnOutcome.SUPERSEDED, TurnOutcome.UNDELIVERED}


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One step or check: what it decided and by which rules. `status` is e.g. passed, found, not_checked."""

    name: str
    status: str
    rules: tuple[str, ...] = ()
    milliseconds: float = 0.0
    detail: str = ""


LIFELINE = TraceStep("lifeline", "given")
"""Somebody in acute danger was told where to turn to, where otherwise they would only have been refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceRecord:
    """One turn. `guild_id` is None in private."""

    turn_id: str
    at: datetime
    conversation: ConversationKey
    user_id: int
    message_ids: tuple[int, ...]
    reply_ids: tuple[int, ...]
    outcome: TurnOutcome
    model: str | None
    steps: tuple[TraceStep, ...]
    guild_id: int | None = None
