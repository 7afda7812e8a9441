"""`/language`: what a person is answered in."""

from typing import Any

import discord
from discord import app_commands

from bot.discord.commands.desk import Desk
from bot.personal import AUTO
from core.values import Locale


def language(desk: Desk) -> app_commands.Command[Any, ..., Any]:
    """Return the command."""

    @app_commands.rename(chosen=desk.words("command.language.choice.name"))
    @app_commands.describe(chosen=desk.words("command.language.choice.description"))
    @app_commands.choices(chosen=language_choices(desk))
    async def choose(interaction: discord.Interaction[Any], chosen: app_commands.Choice[str]) -> None:
        await desk.answers.think(interaction)
        told = await desk.personal.set_language(interaction.user.id, chosen.value)
        await desk.answers.tell(interaction, told.key)

    return app_commands.Command(
        name=desk.words("command.language.name"),
        description=desk.words("command.language.description"),
        callback=choose,
    )


def language_choices(desk: Desk) -> list[app_commands.Choice[str]]:
    """Return the choices: follow the conversation, or one of the languages."""
    values = (AUTO, *(locale.value for locale in Locale))
    return [app_commands.Choice(name=desk.words(f"command.language.choice.{value}"), value=value) for value in values]
