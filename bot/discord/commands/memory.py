"""`/memory`: what a person tells of themselves and wants the character to remember.

What it made of the community by itself stands there, too, for those who run it.
"""

from collections.abc import Callable, Coroutine
from typing import Any

import discord
from discord import app_commands
from discord.utils import escape_markdown

from bot.discord.commands.desk import Desk
from bot.discord.commands.impressions import impressions
from bot.timezones import fold
from core.memory.asking import LONGEST_FACT
from core.values import KeptFact, Locale

_LONGEST_NAME = 100
_MOST_SUGGESTIONS = 25
_Suggest = Callable[[discord.Interaction[Any], str], Coroutine[Any, Any, list[app_commands.Choice[int]]]]


def memory(desk: Desk) -> app_commands.Group:
    """Return the group of commands."""
    group = app_commands.Group(
        name=desk.words("command.memory.name"), description=desk.words("command.memory.description")
    )
    for build in (_add, _list, _correct, _forget):
        group.add_command(build(desk))
    for command in impressions(desk):
        group.add_command(command)
    return group


def _add(desk: Desk) -> app_commands.Command[Any, ..., Any]:
    @app_commands.rename(text=desk.words("command.memory.add.text.name"))
    @app_commands.describe(text=desk.words("command.memory.add.text.description"))
    async def add(interaction: discord.Interaction[Any], text: app_commands.Range[str, 1, LONGEST_FACT]) -> None:
        await desk.answers.think(interaction)
        told = await desk.personal.remember(interaction.user.id, text)
        await desk.answers.tell_told(interaction, told)

    return _command(desk, "add", add)


def _list(desk: Desk) -> app_commands.Command[Any, ..., Any]:
    async def show(interaction: discord.Interaction[Any]) -> None:
        await desk.answers.think(interaction)
        facts, locale = await desk.personal.facts(interaction.user.id), await desk.answers.locale(interaction)
        entries = [_entry(desk, fact, locale) for fact in facts]
        lines = [desk.messages.text("memory.summary" if facts else "memory.nothing", locale), *entries]
        await desk.answers.say_at_length(interaction, "\n".join(lines))

    return _command(desk, "list", show)


def _entry(desk: Desk, fact: KeptFact, locale: Locale) -> str:
    """Return a fact's line; one that was told in a channel says where it is used."""
    text = escape_markdown(fact.text)
    if fact.source is None or fact.source.guild_id is None:
        return desk.messages.text("memory.entry", locale, number=fact.number, text=text)
    channel = f"<#{fact.source.channel_id}>"
    return desk.messages.text("memory.entry_there", locale, number=fact.number, text=text, channel=channel)


def _correct(desk: Desk) -> app_commands.Command[Any, ..., Any]:
    @app_commands.rename(
        fact=desk.words("command.memory.correct.fact.name"), text=desk.words("command.memory.correct.text.name")
    )
    @app_commands.describe(
        fact=desk.words("command.memory.correct.fact.description"),
        text=desk.words("command.memory.correct.text.description"),
    )
    @app_commands.autocomplete(fact=_suggestions(desk))
    async def correct(
        interaction: discord.Interaction[Any], fact: int, text: app_commands.Range[str, 1, LONGEST_FACT]
    ) -> None:
        await desk.answers.think(interaction)
        told = await desk.personal.correct_fact(interaction.user.id, fact, text)
        await desk.answers.tell_told(interaction, told)

    return _command(desk, "correct", correct)


def _forget(desk: Desk) -> app_commands.Command[Any, ..., Any]:
    @app_commands.rename(fact=desk.words("command.memory.forget.fact.name"))
    @app_commands.describe(fact=desk.words("command.memory.forget.fact.description"))
    @app_commands.autocomplete(fact=_suggestions(desk))
    async def forget(interaction: discord.Interaction[Any], fact: int) -> None:
        await desk.answers.think(interaction)
        await desk.answers.tell_told(interaction, await desk.personal.forget_fact(interaction.user.id, fact))

    return _command(desk, "forget", forget)


def _suggestions(desk: Desk) -> _Suggest:
    """Return what offers the person's facts while they type."""

    async def suggest(interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[int]]:
        facts = await desk.personal.facts(interaction.user.id)
        fitting = [fact for fact in facts if fold(typed) in fold(_named(fact))]
        return [
            app_commands.Choice(name=_named(fact)[:_LONGEST_NAME], value=fact.number)
            for fact in fitting[:_MOST_SUGGESTIONS]
        ]

    return suggest


def _named(fact: KeptFact) -> str:
    return f"{fact.number}. {fact.text}"


def _command(desk: Desk, name: str, callback: Any) -> app_commands.Command[Any, ..., Any]:  # noqa: ANN401
    return app_commands.Command(
        name=desk.words(f"command.memory.{name}.name"),
        description=desk.words(f"command.memory.{name}.description"),
        callback=callback,
    )
