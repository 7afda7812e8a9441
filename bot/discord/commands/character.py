"""`/character`: rest and wake a character everywhere. It is shared by servers, so only those who run it may."""

from typing import Any

import discord
from discord import app_commands

from bot.discord.commands.desk import Desk


def character(desk: Desk) -> app_commands.Group:
    """Return the group of commands."""
    group = app_commands.Group(
        name=desk.words("command.character.name"),
        description=desk.words("command.character.description"),
        default_permissions=discord.Permissions(manage_guild=True),
    )
    group.add_command(_switch(desk, "freeze", frozen=True))
    group.add_command(_switch(desk, "unfreeze", frozen=False))
    return group


def _switch(desk: Desk, name: str, *, frozen: bool) -> app_commands.Command[Any, ..., Any]:
    async def switch(interaction: discord.Interaction[Any]) -> None:
        desk.require_owner(interaction)
        await desk.answers.think(interaction)
        await desk.stores.characters.set_frozen(desk.character.name, frozen)
        locale = await desk.answers.locale(interaction)
        called = desk.character.display_name.get(locale, desk.character.name)
        await desk.answers.tell(interaction, "character.frozen" if frozen else "character.unfrozen", name=called)

    return app_commands.Command(
        name=desk.words(f"command.character.{name}.name"),
        description=desk.words(f"command.character.{name}.description"),
        callback=switch,
    )
