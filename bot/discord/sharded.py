"""A character on some of Discord's shards, each with a connection of its own."""

from typing import Any

import discord
import structlog

from bot.discord.client import CharacterClient
from bot.operations.vitals import Connection
from core.sharding.shards import Shards

IDENTIFY_SECONDS = 5.0
"""Discord lets a bot begin one session in so many seconds for each bucket (`shard id % max_concurrency`)."""

_log = structlog.get_logger(__name__)


class ShardedCharacterClient(CharacterClient, discord.AutoShardedClient):
    """`CharacterClient` with several connections. It counts as connected while all of them are."""

    def __init__(self, *, shards: Shards, **parts: Any) -> None:  # noqa: ANN401 - those of `CharacterClient`
        """Prepare the connections."""
        super().__init__(**parts, shard_ids=list(shards.ids), shard_count=shards.count)
        self._down: set[int] = set()
        self._at_once: int | None = None

    async def drop_socket(self) -> None:
        """Do nothing: a client with a fault is closed as a whole, and made anew."""

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait for this shard's turn among those of all processes."""
        del initial
        if self._at_once is None:
            self._at_once = max(1, (await self.fetch_session_start_limits()).max_concurrency)
        bucket, tenure = (shard_id or 0) % self._at_once, self._shared.tenure
        name = self.seat.character.name
        while (wait := await tenure.may_identify(name, bucket, seconds=IDENTIFY_SECONDS)) > 0:
            self._pulse.trying()
            await self._shared.clock.sleep(wait)
        self._pulse.trying()
        _log.debug("shard.identifying", character=name, shard=shard_id)

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401
        """Take note of which connections there are; hand on the events."""
        match event:
            case "shard_disconnect":
                self._down.add(args[0])
            case "shard_ready" | "shard_resumed":
                self._down.discard(args[0])
                if self._down:
                    self._pulse.is_now(Connection.LOST)
                elif self.is_ready():
                    self._pulse.is_now(Connection.READY)
            case "resumed" if self._down - {kwargs.get("shard_id")}:
                return
            case _:
                pass
        super().dispatch(event, *args, **kwargs)
