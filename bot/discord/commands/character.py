"""`/character`: rest and wake a character everywhere, choose its tier. It is shared: only those who run it may."""

from typing import Any

import discord
from discord import app_commands

from bot.discord.commands.desk import Desk
from core.values import Tier

_OWN = "pack"
_TIERS = (*(tier.value for tier in Tier), _OWN)


def character(desk: Desk) -> app_commands.Group:
    """Return the group of commands."""
    group = app_commands.Group(
        name=desk.words("command.character.name"),
        description=desk.words("command.character.description"),
        default_permissions=discord.Permissions(manage_guild=True),
    )
    group.add_command(_switch(desk, "freeze", frozen=True))
    group.add_command(_switch(desk, "unfreeze", frozen=False))
    group.add_command(_tier(desk))
    return group


def _tier(desk: Desk) -> app_commands.Command[Any, ..., Any]:
    choices = [
        app_commands.Choice(name=desk.words(f"command.character.tier.choice.{one}"), value=one) for one in _TIERS
    ]

    @app_commands.rename(chosen=desk.words("command.character.tier.choice.name"))
    @app_commands.describe(chosen=desk.words("command.character.tier.choice.description"))
    @app_commands.choices(chosen=choices)
    async def tier(interaction: discord.Interaction[Any], chosen: app_commands.Choice[str]) -> None:
        desk.require_owner(interaction)
        await desk.answers.think(interaction)
        wanted = None if chosen.value == _OWN else Tier(chosen.value)
        await desk.stores.characters.set_tier(desk.character.name, wanted)
        locale = await desk.answers.locale(interaction)
        await desk.answers.tell(
            interaction,
            "character.tier",
            name=desk.character.display_name.get(locale, desk.character.name),
            tier=desk.messages.text(f"about.tier.{wanted or desk.character.tier}", locale),
        )

    return app_commands.Command(
        name=desk.words("command.character.tier.name"),
        description=desk.words("command.character.tier.description"),
        callback=tier,
    )


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
