"""`/help`: the commands that the person may use."""

from typing import Any

import discord
from discord import app_commands

from bot.discord.commands.desk import Desk
from core.values import Locale


def help_command(desk: Desk, tree: app_commands.CommandTree[Any]) -> app_commands.Command[Any, ..., Any]:
    """Return the command; it lists what is in `tree` when it is used."""

    async def show(interaction: discord.Interaction[Any]) -> None:
        locale = await desk.answers.locale(interaction)
        name = desk.character.display_name.get(locale, desk.character.name)
        lines = [desk.messages.text("help.intro", locale, name=name), ""]
        lines += [
            _entry(desk, command.qualified_name.split(" "), locale)
            for command in tree.walk_commands()
            if isinstance(command, app_commands.Command) and _may_use(desk, interaction, command)
        ]
        await desk.answers.say_at_length(interaction, "\n".join(lines))

    return app_commands.Command(
        name=desk.words("command.help.name"), description=desk.words("command.help.description"), callback=show
    )


def _entry(desk: Desk, path: list[str], locale: Locale) -> str:
    """Return the line about a command, named as the person's Discord shows it."""
    called = desk.messages.command(" ".join(path), locale)
    described = desk.messages.text(f"command.{'.'.join(path)}.description", locale)
    return desk.messages.text("help.entry", locale, command=called, description=described)


def _may_use(desk: Desk, interaction: discord.Interaction[Any], command: app_commands.Command[Any, ..., Any]) -> bool:
    match command.qualified_name.split(" "):
        case ["settings" | "setup" | "stance", *_] | ["social", "status" | "channels"]:
            return desk.manages_server(interaction)
        case ["proactive", "pause-all"] | ["candidates", "list"]:
            return desk.is_owner(interaction) or desk.manages_server(interaction)
        case ["character" | "candidates" | "report" | "sandbox" | "social", *_] | [
            "memory",
            "interests" | "people" | "posts",
        ]:
            return desk.is_owner(interaction)
        case _:
            return True
