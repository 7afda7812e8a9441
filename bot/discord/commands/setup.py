"""`/setup`: the first steps on a server, as menus and buttons."""

from typing import Any

import discord
from discord import app_commands

from bot.discord.commands.desk import Desk
from bot.discord.setup.steps import Setup


def setup(desk: Desk) -> app_commands.Command[Any, ..., Any]:
    """Return the command."""
    steps = Setup(desk)

    async def show(interaction: discord.Interaction[Any]) -> None:
        await steps.open(interaction)

    command: app_commands.Command[Any, ..., Any] = app_commands.Command(
        name=desk.words("command.setup.name"), description=desk.words("command.setup.description"), callback=show
    )
    command.guild_only = True
    command.default_permissions = discord.Permissions(manage_guild=True)
    return command
