"""Whoever looks after the program: told what happens, in ids and numbers."""

from dataclasses import dataclass
from typing import Literal, Protocol

from core.ports.bookkeeping import UsageRecord
from core.turn.trace import TraceRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class CapWarning:
    """A cap of which so much is used (`percent`: 80, or 100 where calls are refused by now).

    `guild_id` None: it is that of the whole program.
    """

    guild_id: int | None
    period: Literal["day", "month"]
    percent: int


class Overseer(Protocol):
    """Is told; never raises and never waits."""

    def cap_nears(self, warning: CapWarning) -> None:
        """A cap is nearly or wholly used up; told once in its period."""

    def call_ended(self, record: UsageRecord) -> None:
        """A model call ended, one way or another."""

    def turn_ended(self, record: TraceRecord) -> None:
        """A turn ended, one way or another."""


class Unseen:
    """`Overseer` where nobody looks."""

    def cap_nears(self, warning: CapWarning) -> None:
        """Do nothing."""

    def call_ended(self, record: UsageRecord) -> None:
        """Do nothing."""

    def turn_ended(self, record: TraceRecord) -> None:
        """Do nothing."""
