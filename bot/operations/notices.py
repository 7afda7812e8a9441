"""What the operator is told of trouble: once each, not too much at a time, and never what anybody wrote."""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import structlog

from core.clock import Clock
from core.ports import CapWarning

_AGAIN_AFTER = 3600.0
_WINDOW, _MOST = 600.0, 6
_KNOWN = 500
_OWN = "operator."

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to tell: the key of a text, and ids and names to fill in."""

    key: str
    values: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """A notice that is to be told now: how often it came up untold before, and how many others were left out."""

    notice: Notice
    repeated: int
    left_out: int


class Notices:
    """Takes notices in, and hands on those that are due.

    The same one is told once an hour, and no more than six are in ten minutes; the others are counted.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._told: dict[Notice, float] = {}
        self._repeated: dict[Notice, int] = {}
        self._moments: deque[float] = deque()
        self._left_out = 0
        self._due: asyncio.Queue[Due] = asyncio.Queue()

    def put(self, notice: Notice) -> None:
        """Take a notice in; returns at once."""
        now = self._clock.monotonic()
        if now - self._told.get(notice, now - _AGAIN_AFTER) < _AGAIN_AFTER:
            self._repeated[notice] = self._repeated.get(notice, 0) + 1
            return
        while self._moments and now - self._moments[0] >= _WINDOW:
            self._moments.popleft()
        if len(self._moments) >= _MOST:
            self._left_out += 1
            return
        self._moments.append(now)
        self._told.pop(notice, None)
        self._told[notice] = now
        self._due.put_nowait(Due(notice=notice, repeated=self._repeated.pop(notice, 0), left_out=self._left_out))
        self._left_out = 0
        while len(self._told) > _KNOWN:
            oldest = next(iter(self._told))
            del self._told[oldest]
            self._repeated.pop(oldest, None)

    async def hand_on(self, tell: Callable[[Due], Awaitable[None]]) -> None:
        """Tell what is due, for as long as this runs. What can't be told is left to the log."""
        while True:
            due = await self._due.get()
            try:
                await tell(due)
            except Exception as error:  # noqa: BLE001 - telling of trouble must make none
                _log.warning("operator.not_told", key=due.notice.key, error=type(error).__name__)


def of_cap(warning: CapWarning) -> Notice:
    """Return the notice of a cap."""
    where = "all" if warning.guild_id is None else "guild"
    values = (("percent", str(warning.percent)), ("guild", str(warning.guild_id or "")))
    return Notice(f"operator.cap.{where}.{warning.period}", values)


class ErrorsToNotices(logging.Handler):
    """Makes a notice of every logged error: its event, whose it is and the kind of error. Texts stay in the log."""

    def __init__(self, notices: Notices) -> None:
        super().__init__(logging.ERROR)
        self._notices = notices
        self._loop = asyncio.get_running_loop()

    def emit(self, record: logging.LogRecord) -> None:
        """Take a log record in, from any thread."""
        notice = notice_of(record)
        if notice is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._notices.put, notice)


def notice_of(record: logging.LogRecord) -> Notice | None:
    """Return the notice of a logged error; of a library's, whose words may be anything, only where it comes from."""
    if not isinstance(record.msg, dict):
        return Notice("operator.problem", (("event", record.name), ("about", "")))
    event = str(record.msg.get("event", record.name))
    if event.startswith(_OWN):
        return None
    about = [str(record.msg[name]) for name in ("character", "error") if record.msg.get(name)]
    if event == "gateway.stalled":
        return Notice("operator.gateway", (("character", str(record.msg.get("character", ""))),))
    return Notice("operator.problem", (("event", event), ("about", ", ".join(about))))
