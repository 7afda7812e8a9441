"""`/timezone`: where a person lives, as far as clocks go."""

from collections.abc import Callable, Coroutine
from typing import Any

import discord
from discord import app_commands

from bot.discord.commands.desk import Desk
from bot.personal import timezones
from bot.timezones import MOST_SUGGESTIONS

_LONGEST_NAME = 100

Suggest = Callable[[discord.Interaction[Any], str], Coroutine[Any, Any, list[app_commands.Choice[str]]]]


def timezone(desk: Desk) -> app_commands.Command[Any, ..., Any]:
    """Return the command."""

    @app_commands.rename(
        zone=desk.words("command.timezone.zone.name"), forget=desk.words("command.timezone.forget.name")
    )
    @app_commands.describe(
        zone=desk.words("command.timezone.zone.description"), forget=desk.words("command.timezone.forget.description")
    )
    @app_commands.autocomplete(zone=zone_suggestions(desk))
    async def choose(interaction: discord.Interaction[Any], zone: str | None = None, forget: bool = False) -> None:
        await desk.answers.think(interaction)
        user_id, locale = interaction.user.id, await desk.answers.locale(interaction)
        if forget:
            told = await desk.personal.forget_timezone(user_id)
        elif zone is not None:
            told = await desk.personal.set_timezone(user_id, zone, locale)
        else:
            told = await desk.personal.timezone(user_id, locale)
        await desk.answers.tell(interaction, told.key, **told.values)

    return app_commands.Command(
        name=desk.words("command.timezone.name"),
        description=desk.words("command.timezone.description"),
        callback=choose,
    )


def zone_suggestions(desk: Desk) -> Suggest:
    """Return what offers zones while one is typed, with the time it is there."""

    async def suggest(interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[str]]:
        locale = await desk.answers.locale(interaction)
        places = (await timezones()).search(typed, locale, limit=MOST_SUGGESTIONS)
        return [
            app_commands.Choice(
                name=desk.messages.text("timezone.suggestion", locale, **desk.personal.described(place, locale))[
                    :_LONGEST_NAME
                ],
                value=place.zone,
            )
            for place in places
        ]

    return suggest
