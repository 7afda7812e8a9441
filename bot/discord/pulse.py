"""Whether a connection to Discord's gateway lives: told by its events, judged by the clock.

discord.py looks after heartbeats itself. What it does not notice is a connection that never becomes ready, or one on
which it waits without an end; here both are given up, so that the next try begins anew.
"""

from collections.abc import Callable

from bot.operations.vitals import Connection
from core.clock import Clock

LOOK_EVERY = 15.0
"""Seconds."""


class GatewayStalledError(ConnectionError):
    """Nothing has come of a connection for too long."""


class Pulse:
    """One character's connection."""

    def __init__(self, clock: Clock, tell: Callable[[Connection], None] = lambda _: None) -> None:
        self.state = Connection.CONNECTING
        self._clock = clock
        self._tell = tell
        self._since = self._heard_at = self._tried_at = clock.monotonic()
        tell(self.state)

    def heard(self) -> None:
        """Note that the gateway sent something, if only that it got a heartbeat."""
        self._heard_at = self._clock.monotonic()

    def trying(self) -> None:
        """Note that a try to connect begins."""
        self._tried_at = self._clock.monotonic()

    def is_now(self, state: Connection) -> None:
        """Note a change; losing a connection that never was is none."""
        self.heard()
        if state is self.state or (state is Connection.LOST and self.state is Connection.CONNECTING):
            return
        self.state, self._since = state, self._clock.monotonic()
        if state is Connection.LOST:
            self.trying()
        self._tell(state)

    @property
    def down_for(self) -> float:
        """For how many seconds it has not been ready; 0 while it is."""
        return 0.0 if self.state is Connection.READY else self._clock.monotonic() - self._since

    def has_stalled(self, seconds: float) -> bool:
        """Return whether it was silent for so long, or a try to connect led to nothing in that time."""
        began = self._heard_at if self.state is Connection.READY else self._tried_at
        return self._clock.monotonic() - began >= seconds

    async def stalled(self, seconds: float) -> None:
        """Return when it has stalled."""
        while not self.has_stalled(seconds):
            await self._clock.sleep(LOOK_EVERY)
