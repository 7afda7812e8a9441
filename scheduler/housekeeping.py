"""What is deleted in the course of time.

That is archived text past its retention, with summaries made of it, expired sessions, old traces and slots, and whose
old model calls were. What people set themselves and asked to have kept stays until they delete it.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

import structlog

from core.errors import StorageError
from core.ports import MessageArchive, SessionStore, SlotStore, TraceStore, UsageStore

_log = structlog.get_logger(__name__)


class HousekeepingTick(Protocol):
    """Something that is done now and then; what exactly depends on nothing but the time."""

    async def tick(self, now: datetime) -> "Swept":
        """Do what is due at `now`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Swept:
    """How many rows went; None where the store failed and the next tick has to try again."""

    messages: int | None = 0
    sessions: int | None = 0
    traces: int | None = 0
    slots: int | None = 0
    calls: int | None = 0


class Housekeeping:
    """Deletes what may be kept no longer. A store that fails doesn't keep the others from being swept."""

    def __init__(
        self,
        *,
        archive: MessageArchive,
        sessions: SessionStore,
        traces: TraceStore,
        slots: SlotStore,
        usage: UsageStore,
        message_retention: timedelta,
        trace_retention: timedelta,
        slot_retention: timedelta,
    ) -> None:
        self._archive = archive
        self._sessions = sessions
        self._traces = traces
        self._slots = slots
        self._usage = usage
        self._message_retention = message_retention
        self._trace_retention = trace_retention
        self._slot_retention = slot_retention

    async def tick(self, now: datetime) -> Swept:
        """Delete what expired before `now`; return how much."""
        swept = Swept(
            messages=await _attempt("messages", self._archive.delete_older_than, now - self._message_retention),
            sessions=await _attempt("sessions", self._sessions.delete_expired, now),
            traces=await _attempt("traces", self._traces.delete_older_than, now - self._trace_retention),
            slots=await _attempt("slots", self._slots.delete_older_than, now - self._slot_retention),
            calls=await _attempt("calls", self._usage.forget_whose, now - self._trace_retention),
        )
        _log.info(
            "housekeeping_done",
            messages=swept.messages,
            sessions=swept.sessions,
            traces=swept.traces,
            slots=swept.slots,
            calls=swept.calls,
        )
        return swept


async def _attempt(what: str, delete: Callable[[datetime], Awaitable[int]], moment: datetime) -> int | None:
    try:
        return await delete(moment)
    except StorageError as error:
        _log.warning("housekeeping_failed", what=what, error=type(error).__name__)
        return None
