"""Finds channels by id and knows what the character may do there, without asking Discord where that is known."""

import discord

from bot.discord.courier import Courier
from core.errors import DeliveryError

Place = (
    discord.TextChannel
    | discord.VoiceChannel
    | discord.StageChannel
    | discord.Thread
    | discord.DMChannel
    | discord.GroupChannel
    | discord.PartialMessageable
)


class Places:
    """The channels that one client can see."""

    def __init__(self, *, client: discord.Client, courier: Courier) -> None:
        self._client = client
        self._courier = courier

    async def find(self, channel_id: int) -> Place:
        """Return a channel in which messages stand.

        Raises:
            DeliveryError: there is none, or it is not for the character to see.
        """
        channel = self._client.get_channel(channel_id)
        if channel is None:
            channel = await self._courier.call(channel_id, lambda: self._client.fetch_channel(channel_id), attempts=2)
        if not isinstance(channel, Place):
            raise DeliveryError(f"channel {channel_id} holds no messages")
        return channel

    async def readable(self, channel_id: int) -> Place:
        """Return a channel whose history may be read.

        Raises:
            DeliveryError: there is none, or its history is not for the character to read.
        """
        channel = await self.find(channel_id)
        if not may_read_history(channel):
            raise DeliveryError(f"the history of channel {channel_id} may not be read")
        return channel

    async def message(self, channel: Place, message_id: int) -> discord.Message:
        """Return a message, from memory where it is there.

        Raises:
            DeliveryError: it is gone or can't be read.
        """
        held = discord.utils.get(self._client.cached_messages, id=message_id)
        if held is not None:
            return held
        return await self._courier.call(channel.id, lambda: channel.fetch_message(message_id), attempts=2)


def may_read_history(channel: Place) -> bool:
    """Return whether, as far as is known, the character may read what was said before."""
    permissions = _permissions(channel)
    return permissions is None or (permissions.view_channel and permissions.read_message_history)


def may_write(channel: Place) -> bool:
    """Return whether, as far as is known, the character may write."""
    permissions = _permissions(channel)
    if permissions is None:
        return True
    allowed = permissions.send_messages_in_threads if isinstance(channel, discord.Thread) else permissions.send_messages
    return permissions.view_channel and allowed


def _permissions(channel: Place) -> discord.Permissions | None:
    """Return the character's permissions; None where there are none (DM) or they aren't known."""
    if isinstance(channel, discord.DMChannel | discord.GroupChannel | discord.PartialMessageable):
        return None
    own: discord.Member | None = channel.guild.me
    try:
        return channel.permissions_for(own) if own is not None else None
    except discord.ClientException:
        # A thread whose parent is not known.
        return None
