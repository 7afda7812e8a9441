"""The group of commands."""

from discord import app_commands

from bot.discord.commands.desk import Desk
from bot.discord.commands.proactive.choices import choices
from bot.discord.commands.proactive.oversight import oversight


def proactive(desk: Desk) -> app_commands.Group:
    """Return the group. Who may do what for a channel is looked at when a command is used."""
    group = app_commands.Group(
        name=desk.words("command.proactive.name"), description=desk.words("command.proactive.description")
    )
    for command in (*choices(desk), *oversight(desk)):
        group.add_command(command)
    return group
