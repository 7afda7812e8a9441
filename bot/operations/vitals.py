"""What a running program is doing: kept in memory, told as a status, counted as metrics."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

import structlog

from bot.operations.metrics import Metrics
from core.clock import Clock
from core.ports import CapWarning, UsageRecord
from core.turn.trace import TraceRecord, TurnOutcome

_log = structlog.get_logger(__name__)


class Connection(StrEnum):
    """How a character is connected."""

    CONNECTING = "connecting"
    READY = "ready"
    LOST = "lost"


@dataclass(frozen=True, slots=True, kw_only=True)
class Gateway:
    """A character's connection, and since when it is as it is."""

    state: Connection
    since: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelHealth:
    """How a model's newest call ended."""

    up: bool
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """Everything at one moment. `backlog`: conversations in which something waits or is being answered."""

    at: datetime
    started_at: datetime
    pid: int
    gateways: dict[str, Gateway]
    models: dict[str, ModelHealth]
    last_turn_at: datetime | None
    last_tick_at: datetime | None
    backlog: int

    @property
    def is_well(self) -> bool:
        """Whether every character is connected. A model that failed may answer the next time: that is no illness."""
        return bool(self.gateways) and all(one.state is Connection.READY for one in self.gateways.values())

    def as_json(self) -> dict[str, Any]:
        """Return plain values; moments as datetimes."""
        return {"well": self.is_well, **asdict(self)}


class Vitals:
    """Is told what happens (`core.ports.Overseer`), and says how things are."""

    def __init__(
        self, *, clock: Clock, pid: int, metrics: Metrics, warn: Callable[[CapWarning], None] = lambda _: None
    ) -> None:
        self.metrics = metrics
        self._clock = clock
        self._pid = pid
        self._warn = warn
        self._started_at = clock.now()
        self._gateways: dict[str, Gateway] = {}
        self._models: dict[str, ModelHealth] = {}
        self._backlogs: dict[str, Callable[[], int]] = {}
        self._last_turn_at: datetime | None = None
        self._last_tick_at: datetime | None = None

    def cap_nears(self, warning: CapWarning) -> None:
        """A cap is nearly or wholly used up."""
        _log.warning("cap.nears", guild_id=warning.guild_id, period=warning.period, percent=warning.percent)
        self._warn(warning)

    def call_ended(self, record: UsageRecord) -> None:
        """A model call ended. One that was dropped says nothing about the model."""
        self.metrics.count_call(record)
        _log.debug(
            "model.called",
            character=record.character,
            feature=record.feature,
            model=record.model,
            outcome=record.outcome,
            input_tokens=record.input_tokens,
            output_tokens=record.output_tokens,
        )
        if record.outcome != "dropped":
            up = not record.outcome.startswith("failed")
            self._models[record.model] = ModelHealth(up=up, at=self._clock.now())

    def turn_ended(self, record: TraceRecord) -> None:
        """A turn ended."""
        if record.outcome is TurnOutcome.BEGUN:
            return
        self._last_turn_at = self._clock.now()
        self.metrics.count_turn(record.conversation.character, record.outcome)
        _log.info(
            "turn.ended", turn_id=record.turn_id, character=record.conversation.character, outcome=record.outcome.value
        )

    def connected(self, character: str, state: Connection) -> None:
        """A character's connection is another one now."""
        self._gateways[character] = Gateway(state=state, since=self._clock.now())

    def ticked(self) -> None:
        """Something that is done again and again was done."""
        self._last_tick_at = self._clock.now()

    def count_backlog(self, character: str, backlog: Callable[[], int]) -> None:
        """Ask there from now on how much waits for a character."""
        self._backlogs[character] = backlog

    def status(self) -> Status:
        """Return how things are."""
        return Status(
            at=self._clock.now(),
            started_at=self._started_at,
            pid=self._pid,
            gateways=dict(self._gateways),
            models=dict(self._models),
            last_turn_at=self._last_turn_at,
            last_tick_at=self._last_tick_at,
            backlog=sum(backlog() for backlog in self._backlogs.values()),
        )
