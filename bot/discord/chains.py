"""Reply chains: what a message answers, what that answered, and so on."""

from dataclasses import dataclass

import discord

from bot.discord.courier import Courier
from bot.discord.reading import Reading
from core.errors import DeliveryError
from core.values import Utterance

MAX_DEPTH = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Chains:
    """Follows replies back, first in what is held in memory, then by asking Discord."""

    reading: Reading
    courier: Courier

    async def of(self, message: discord.Message, *, fetch: bool) -> tuple[Utterance, ...]:
        """Return what a message answers, oldest first, at most five deep. `fetch` allows asking Discord.

        It ends where a message is gone, may not be read, or stands in another channel.
        """
        chain: list[Utterance] = []
        current = message
        for _ in range(MAX_DEPTH):
            parent = await self._parent(current, fetch=fetch)
            if parent is None:
                break
            utterance = self.reading.utterance(parent)
            # Without the message-content intent the text of others is withheld.
            if utterance.text:
                chain.append(utterance)
            current = parent
        return tuple(reversed(chain))

    async def _parent(self, message: discord.Message, *, fetch: bool) -> discord.Message | None:
        reference = message.reference
        if reference is None or reference.message_id is None or message.type is not discord.MessageType.reply:
            return None
        if reference.channel_id != message.channel.id or isinstance(
            reference.resolved, discord.DeletedReferencedMessage
        ):
            return None
        held = reference.resolved or reference.cached_message
        if held is not None or not fetch:
            return held
        return await self._fetch(message, reference.message_id)

    async def _fetch(self, message: discord.Message, message_id: int) -> discord.Message | None:
        channel = message.channel
        try:
            return await self.courier.call(channel.id, lambda: channel.fetch_message(message_id), attempts=1)
        except DeliveryError:
            return None
