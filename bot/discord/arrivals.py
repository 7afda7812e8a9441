"""Waits, at the start of a session, until Discord has told of every server; not longer than that.

discord.py waits two seconds after the last server that was told, whether more are to come or not. What a session
begins with names them all, so the wait can end with the last of them.
"""

import asyncio

import discord

from core.clock import Clock
from core.language_model.deadline import within

AT_ONCE = 0.05
"""Seconds for discord.py to hand on what came together with the beginning of a session (`guild_ready_timeout`)."""
_PATIENCE = 2.0
"""Seconds without a further server after which the missing ones are taken as not to be had just now."""


class Arrivals:
    """Knows which of a client's servers were not told of yet."""

    def __init__(self, client: discord.Client, clock: Clock) -> None:
        self._client = client
        self._clock = clock
        self._news = asyncio.Event()

    def came(self) -> None:
        """Note that a server was told of."""
        self._news.set()

    async def all_there(self) -> None:
        """Return when every server is there, or no more have come for a while."""
        while any(guild.unavailable for guild in self._client.guilds):
            self._news.clear()
            try:
                await within(self._clock, _PATIENCE, self._news.wait())
            except TimeoutError:
                return
