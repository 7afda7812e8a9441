"""Whom a command is about: the person who uses it, or a channel of a server they manage."""

from typing import Any

import discord
from discord import app_commands

from bot.discord.commands.desk import Desk, NotAllowedError
from bot.discord.consent import Party
from core.proactive.types import Recipient, RecipientKind

_WRITABLE = {discord.ChannelType.text, discord.ChannelType.news}


def party_of(
    desk: Desk, interaction: discord.Interaction[Any], channel: app_commands.AppCommandChannel | None
) -> Party:
    """Return who it is about.

    Raises:
        NotAllowedError: the channel isn't for the person to decide on.
    """
    if channel is None:
        return Party(recipient=Recipient(desk.character.name, RecipientKind.USER, interaction.user.id))
    guild_id = desk.require_server(interaction)
    if channel.guild_id != guild_id:
        raise NotAllowedError("command.not_allowed")
    return Party(
        recipient=Recipient(desk.character.name, RecipientKind.CHANNEL, channel.id),
        guild_id=guild_id,
        chosen_by=interaction.user.id,
    )


def require_writable(channel: app_commands.AppCommandChannel | None) -> None:
    """Raise `NotAllowedError` for a channel that the character can't write to."""
    if channel is None:
        return
    if channel.type not in _WRITABLE:
        raise NotAllowedError("proactive.channel_kind")
    place = channel.resolve()
    if not isinstance(place, discord.TextChannel):
        raise NotAllowedError("proactive.channel_closed")
    permissions = place.permissions_for(place.guild.me)
    if not (permissions.view_channel and permissions.send_messages):
        raise NotAllowedError("proactive.channel_closed")
