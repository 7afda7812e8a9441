"""`/about`: an AI, its public introduction, its model, what is kept."""

from typing import Any

import discord
from discord import app_commands

from bot.discord.commands.desk import Desk


def about(desk: Desk) -> app_commands.Command[Any, ..., Any]:
    """Return the command."""

    async def show(interaction: discord.Interaction[Any]) -> None:
        locale = await desk.answers.locale(interaction)
        character = desk.character
        spoken = locale if locale in character.introduction else character.locale
        tier = await desk.stores.characters.tier(character.name) or character.tier
        text = desk.messages.text(
            "about.text",
            locale,
            name=character.display_name[spoken],
            introduction=character.introduction[spoken].strip(),
            tier=desk.messages.text(f"about.tier.{tier}", locale),
            model=desk.model_names.get(tier, desk.model_name),
            days=desk.options.retention_days,
        )
        await desk.answers.say(interaction, text, private=False)

    return app_commands.Command(
        name=desk.words("command.about.name"), description=desk.words("command.about.description"), callback=show
    )
