"""`HistorySource` over Discord: what was said before the program started, bounded, from where it may be read."""

import discord

from bot.discord.courier import Courier
from bot.discord.places import Places
from bot.discord.reading import Reading
from core.errors import DeliveryError
from core.values import Surface, SurfaceKind, Utterance

_MOST = 100


class DiscordHistory:
    """Reads the newest messages of a conversation."""

    def __init__(self, *, places: Places, reading: Reading, courier: Courier) -> None:
        self._places = places
        self._reading = reading
        self._courier = courier

    async def history(self, surface: Surface, *, before: int | None, limit: int) -> list[Utterance]:
        """Return the newest messages before that id, oldest first; [] where they can't be read."""
        try:
            messages = await self.messages(surface.channel_id, before=before, limit=min(limit, _MOST))
            if surface.kind is SurfaceKind.THREAD and len(messages) < limit:
                messages = [*await self._starter(surface), *messages]
        except DeliveryError:
            return []
        reading = self._reading
        utterances = [reading.utterance(message) for message in messages if reading.is_speech(message)]
        return [utterance for utterance in utterances if utterance.text]

    async def messages(
        self, channel_id: int, *, before: int | None = None, after: int | None = None, limit: int
    ) -> list[discord.Message]:
        """Return messages of a channel, oldest first: the newest before `before`, or the first after `after`.

        Raises:
            DeliveryError: the channel can't be read.
        """
        channel = await self._places.readable(channel_id)

        async def read() -> list[discord.Message]:
            found = channel.history(
                limit=limit,
                before=discord.Object(before) if before is not None else None,
                after=discord.Object(after) if after is not None else None,
            )
            return sorted([message async for message in found], key=lambda message: message.id)

        return await self._courier.call(channel_id, read, attempts=2)

    async def _starter(self, surface: Surface) -> list[discord.Message]:
        """Return the message that a thread grew from; it has the thread's id and stands in the parent channel."""
        if surface.parent_id is None:
            return []
        try:
            parent = await self._places.readable(surface.parent_id)
            return [await self._courier.call(parent.id, lambda: parent.fetch_message(surface.channel_id), attempts=1)]
        except DeliveryError:
            return []
