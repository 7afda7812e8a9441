"""`/stop`: no more of the reply that is being written to the person who asks."""

from typing import Any

import discord
from discord import app_commands

from bot.discord.commands.desk import Desk


def stop(desk: Desk) -> app_commands.Command[Any, ..., Any]:
    """Return the command."""

    async def stop_reply(interaction: discord.Interaction[Any]) -> None:
        channel_id = interaction.channel_id
        stopped = channel_id is not None and await desk.companion.stop(channel_id, interaction.user.id)
        await desk.answers.tell(interaction, "stop.done" if stopped else "stop.nothing")

    return app_commands.Command(
        name=desk.words("command.stop.name"), description=desk.words("command.stop.description"), callback=stop_reply
    )
