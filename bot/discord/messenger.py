"""`Messenger`: messages that nobody asked for just now, to people and channels that want them."""

from dataclasses import dataclass

import discord

from bot.discord.courier import Courier
from bot.discord.inbound import surface_of
from bot.discord.places import Place, Places, may_write
from bot.discord.unreachable import as_unreachable
from bot.discord.wording import as_written
from core.clock import Clock
from core.errors import DeliveryError, UnreachableError
from core.language_model.deadline import within
from core.ports import Delivered
from core.proactive.types import Recipient, RecipientKind

_SILENT = discord.AllowedMentions.none()


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscordMessenger:
    """Sends as one character. Whatever is tried again is tried with the same nonce, and not after the lease."""

    client: discord.Client
    places: Places
    courier: Courier
    clock: Clock

    async def send(self, recipient: Recipient, text: str, *, nonce: str, give_up_at: float) -> Delivered:
        """Send; return where the message stands. Stops trying when the monotonic clock reaches `give_up_at`.

        Raises:
            UnreachableError: the recipient can't be written to; don't try again.
            DeliveryError: it may or may not have been sent.
        """
        left = give_up_at - self.clock.monotonic()
        try:
            return await within(self.clock, left, self._send(recipient, text, nonce, give_up_at))
        except TimeoutError as error:
            raise DeliveryError("the time to send it in is over") from error

    async def _send(self, recipient: Recipient, text: str, nonce: str, give_up_at: float) -> Delivered:
        try:
            channel = await self._channel(recipient, give_up_at)
            message = await self.courier.call(
                channel.id,
                lambda: channel.send(as_written(text), nonce=nonce, allowed_mentions=_SILENT, suppress_embeds=True),
                give_up_at=give_up_at,
            )
        except DeliveryError as error:
            raise as_unreachable(error) from error
        return Delivered(message_id=message.id, surface=surface_of(channel))

    async def _channel(self, recipient: Recipient, give_up_at: float) -> Place:
        if recipient.kind is RecipientKind.USER:
            user = discord.Object(recipient.id)
            return await self.courier.call(recipient.id, lambda: self.client.create_dm(user), give_up_at=give_up_at)
        channel = await self.places.find(recipient.id)
        if not may_write(channel):
            raise UnreachableError(f"channel {recipient.id} may not be written in", forbidden=True)
        return channel
