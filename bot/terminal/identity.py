"""Ids of the terminal: one user, a channel per character, message ids made like Discord's snowflakes."""

import zlib

from core.clock import Clock
from core.values import Surface, SurfaceKind

TERMINAL_USER_ID = 1
_DISCORD_EPOCH_MS = 1_420_070_400_000
_SEQUENCE_BITS = 22


def terminal_surface(character: str) -> Surface:
    """Return the character's place in the terminal; the same after every start, and no snowflake of Discord's."""
    return Surface(kind=SurfaceKind.TERMINAL, channel_id=1 + zlib.crc32(character.encode()))


class Snowflakes:
    """Hands out ids that grow, also when the wall clock is set back."""

    def __init__(self, *, clock: Clock) -> None:
        self._clock = clock
        self._last = 0

    def next(self) -> int:
        """Return an id that was not handed out before."""
        milliseconds = round(self._clock.now().timestamp() * 1000) - _DISCORD_EPOCH_MS
        self._last = max(self._last + 1, milliseconds << _SEQUENCE_BITS)
        return self._last
