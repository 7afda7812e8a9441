"""`/report`: the page about the bot, for those who run it."""

import gzip
import io
from typing import Any

import discord
from discord import app_commands

from bot.discord.commands.desk import Desk

_LARGEST = 9 * 1024 * 1024  # bytes; Discord takes ten megabytes


def report(desk: Desk) -> app_commands.Command[Any, ..., Any]:
    """Return the command."""

    async def make(interaction: discord.Interaction[Any]) -> None:
        desk.require_owner(interaction)
        await desk.answers.think(interaction)
        locale = await desk.answers.locale(interaction)
        page = (await desk.report(locale)).encode()
        name = f"yorisoi-report-{desk.clock.now():%Y%m%d-%H%M}.html"
        if len(page) > _LARGEST:
            page, name = gzip.compress(page), f"{name}.gz"
        if len(page) > _LARGEST:
            await desk.answers.tell(interaction, "report.too_large")
            return
        await desk.answers.hand_over(interaction, "report.done", [discord.File(io.BytesIO(page), name)])

    return app_commands.Command(
        name=desk.words("command.report.name"), description=desk.words("command.report.description"), callback=make
    )
