"""`/settings`: what the operators of a server choose."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import discord
from discord import app_commands

from bot.discord.commands.desk import Desk
from bot.discord.commands.language import language_choices
from bot.discord.commands.timezone import zone_suggestions
from bot.personal import AUTO, timezones
from core.values import GuildSettings, Locale

_MOST_AMBIENT = 30


def settings(desk: Desk) -> app_commands.Group:
    """Return the group of commands."""
    group = app_commands.Group(
        name=desk.words("command.settings.name"),
        description=desk.words("command.settings.description"),
        guild_only=True,
        default_permissions=discord.Permissions(manage_guild=True),
    )
    for build in (_show, _language, _timezone, _ambient, _bots):
        group.add_command(build(desk))
    return group


def _show(desk: Desk) -> app_commands.Command[Any, ..., Any]:
    async def show(interaction: discord.Interaction[Any]) -> None:
        guild_id = desk.require_server(interaction)
        await desk.answers.think(interaction)
        chosen, locale = await desk.stores.guilds.get(guild_id), await desk.answers.locale(interaction)
        text = desk.messages.text(
            "settings.summary",
            locale,
            language=desk.messages.text(f"settings.{chosen.locale or AUTO}", locale),
            bots=desk.messages.text("settings.bots_on" if chosen.answers_bots else "settings.bots_off", locale),
            timezone=chosen.timezone
            or desk.messages.text("settings.timezone_default", locale, zone=desk.character.timezone),
            ambient=_ambient_places(desk, chosen, locale),
        )
        await desk.answers.say(interaction, text)

    return _command(desk, "show", show)


def _language(desk: Desk) -> app_commands.Command[Any, ..., Any]:
    @app_commands.rename(chosen=desk.words("command.language.choice.name"))
    @app_commands.describe(chosen=desk.words("command.settings.language.description"))
    @app_commands.choices(chosen=language_choices(desk))
    async def choose(interaction: discord.Interaction[Any], chosen: app_commands.Choice[str]) -> None:
        locale = None if chosen.value == AUTO else Locale(chosen.value)
        await _change(desk, interaction, lambda old: replace(old, locale=locale))
        told = desk.messages.text(f"settings.{chosen.value}", await desk.answers.locale(interaction))
        await desk.answers.tell(interaction, "settings.language_done", language=told)

    return _command(desk, "language", choose)


def _timezone(desk: Desk) -> app_commands.Command[Any, ..., Any]:
    @app_commands.rename(zone=desk.words("command.timezone.zone.name"))
    @app_commands.describe(zone=desk.words("command.settings.timezone.zone.description"))
    @app_commands.autocomplete(zone=zone_suggestions(desk))
    async def choose(interaction: discord.Interaction[Any], zone: str | None = None) -> None:
        desk.require_server(interaction)
        locale = await desk.answers.locale(interaction)
        if zone is None:
            await _change(desk, interaction, lambda old: replace(old, timezone=None))
            await desk.answers.tell(interaction, "settings.timezone_forgotten", zone=desk.character.timezone)
            return
        place = (await timezones()).find(zone, locale)
        if place is None:
            told = await desk.personal.unclear(zone, locale)
            await desk.answers.tell(interaction, told.key, **told.values)
            return
        await _change(desk, interaction, lambda old: replace(old, timezone=place.zone))
        await desk.answers.tell(interaction, "settings.timezone_done", **desk.personal.described(place, locale))

    return _command(desk, "timezone", choose)


def _ambient(desk: Desk) -> app_commands.Command[Any, ..., Any]:
    @app_commands.rename(per_hour=desk.words("command.settings.ambient.per-hour.name"))
    @app_commands.describe(per_hour=desk.words("command.settings.ambient.per-hour.description"))
    async def choose(
        interaction: discord.Interaction[Any], per_hour: app_commands.Range[int, 0, _MOST_AMBIENT]
    ) -> None:
        channel_id = interaction.channel_id
        if channel_id is None:
            return

        def change(old: GuildSettings) -> GuildSettings:
            others = {place: most for place, most in old.ambient.items() if place != channel_id}
            return replace(old, ambient=others | ({channel_id: per_hour} if per_hour else {}))

        await _change(desk, interaction, change)
        key = "settings.ambient_on_done" if per_hour else "settings.ambient_off_done"
        await desk.answers.tell(interaction, key, count=per_hour)

    return _command(desk, "ambient", choose)


def _bots(desk: Desk) -> app_commands.Command[Any, ..., Any]:
    @app_commands.rename(answer=desk.words("command.settings.bots.answer.name"))
    @app_commands.describe(answer=desk.words("command.settings.bots.answer.description"))
    async def choose(interaction: discord.Interaction[Any], answer: bool) -> None:
        await _change(desk, interaction, lambda old: replace(old, answers_bots=answer))
        await desk.answers.tell(interaction, "settings.bots_on_done" if answer else "settings.bots_off_done")

    return _command(desk, "bots", choose)


async def _change(
    desk: Desk, interaction: discord.Interaction[Any], change: Callable[[GuildSettings], GuildSettings]
) -> None:
    guild_id = desk.require_server(interaction)
    await desk.answers.think(interaction)
    await desk.stores.guilds.put(change(await desk.stores.guilds.get(guild_id)))


def _ambient_places(desk: Desk, chosen: GuildSettings, locale: Locale) -> str:
    places = [
        desk.messages.text("settings.ambient_channel", locale, channel=f"<#{channel_id}>", count=most)
        for channel_id, most in chosen.ambient.items()
        if most
    ]
    return ", ".join(places) or desk.messages.text("settings.ambient_off", locale)


def _command(desk: Desk, name: str, callback: Callable[..., Any]) -> app_commands.Command[Any, ..., Any]:
    return app_commands.Command(
        name=desk.words(f"command.settings.{name}.name"),
        description=desk.words(f"command.settings.{name}.description"),
        callback=callback,
    )
