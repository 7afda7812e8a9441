"""`/memory`: what a person tells of themselves and wants the character to remember."""

from typing import Any

import discord
from discord import app_commands
from discord.utils import escape_markdown

from bot.discord.commands.desk import Desk
from bot.personal import LONGEST_FACT
from bot.timezones import fold
from core.values import KeptFact

_LONGEST_NAME = 100
_MOST_SUGGESTIONS = 25


def memory(desk: Desk) -> app_commands.Group:
    """Return the group of commands."""
    group = app_commands.Group(
        name=desk.words("command.memory.name"), description=desk.words("command.memory.description")
    )
    for build in (_add, _list, _forget):
        group.add_command(build(desk))
    return group


def _add(desk: Desk) -> app_commands.Command[Any, ..., Any]:
    @app_commands.rename(text=desk.words("command.memory.add.text.name"))
    @app_commands.describe(text=desk.words("command.memory.add.text.description"))
    async def add(interaction: discord.Interaction[Any], text: app_commands.Range[str, 1, LONGEST_FACT]) -> None:
        await desk.answers.think(interaction)
        told = await desk.personal.remember(interaction.user.id, text)
        shown = {"text": escape_markdown(str(told.values["text"]))} if "text" in told.values else {}
        await desk.answers.tell(interaction, told.key, **{**told.values, **shown})

    return _command(desk, "add", add)


def _list(desk: Desk) -> app_commands.Command[Any, ..., Any]:
    async def show(interaction: discord.Interaction[Any]) -> None:
        await desk.answers.think(interaction)
        facts, locale = await desk.personal.facts(interaction.user.id), await desk.answers.locale(interaction)
        entries = [
            desk.messages.text("memory.entry", locale, number=fact.number, text=escape_markdown(fact.text))
            for fact in facts
        ]
        lines = [desk.messages.text("memory.summary" if facts else "memory.nothing", locale), *entries]
        await desk.answers.say_at_length(interaction, "\n".join(lines))

    return _command(desk, "list", show)


def _forget(desk: Desk) -> app_commands.Command[Any, ..., Any]:
    async def suggest(interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[int]]:
        facts = await desk.personal.facts(interaction.user.id)
        fitting = [fact for fact in facts if fold(typed) in fold(_named(fact))]
        return [
            app_commands.Choice(name=_named(fact)[:_LONGEST_NAME], value=fact.number)
            for fact in fitting[:_MOST_SUGGESTIONS]
        ]

    @app_commands.rename(fact=desk.words("command.memory.forget.fact.name"))
    @app_commands.describe(fact=desk.words("command.memory.forget.fact.description"))
    @app_commands.autocomplete(fact=suggest)
    async def forget(interaction: discord.Interaction[Any], fact: int) -> None:
        await desk.answers.think(interaction)
        told = await desk.personal.forget_fact(interaction.user.id, fact)
        await desk.answers.tell(interaction, told.key, **told.values)

    return _command(desk, "forget", forget)


def _named(fact: KeptFact) -> str:
    return f"{fact.number}. {fact.text}"


def _command(desk: Desk, name: str, callback: Any) -> app_commands.Command[Any, ..., Any]:  # noqa: ANN401
    return app_commands.Command(
        name=desk.words(f"command.memory.{name}.name"),
        description=desk.words(f"command.memory.{name}.description"),
        callback=callback,
    )
