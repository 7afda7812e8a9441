"""What people choose for themselves, and those who manage a server for its channels."""

from typing import Any

import discord
from discord import app_commands
from discord.app_commands import AppCommandChannel as Channel
from discord.app_commands import Range

from bot.discord.commands.desk import Desk
from bot.discord.commands.proactive.parties import party_of, require_writable
from bot.discord.commands.proactive.telling import tell
from bot.discord.commands.timezone import zone_suggestions
from bot.discord.consent import LONGEST_PAUSE_DAYS

Command = app_commands.Command[Any, ..., Any]

_MOST_PER_DAY = 10
_LONGEST_GAP = 168
_LONGEST_TEXT = 200
_HOURS_OF_A_WEEK = 168


def choices(desk: Desk) -> list[Command]:
    """Return the commands."""
    return [_on(desk), _off(desk), _quiet(desk), _windows(desk), _pace(desk), _pause(desk)]


def _on(desk: Desk) -> Command:
    async def switch_on(
        interaction: discord.Interaction[Any], place: str | None = None, channel: Channel | None = None
    ) -> None:
        party = party_of(desk, interaction, channel)
        require_writable(channel)
        await desk.answers.think(interaction)
        locale = await desk.answers.locale(interaction)
        told = await desk.consent.switch_on(party, place, locale)
        if party.is_person:
            await desk.companion.first_words.switched_on(party.recipient.id)
        await tell(desk, interaction, party, told)

    described = described_command(desk, "on", switch_on, "place", "channel")
    described.autocomplete("place")(zone_suggestions(desk))
    return described


def _off(desk: Desk) -> Command:
    async def switch_off(interaction: discord.Interaction[Any], channel: Channel | None = None) -> None:
        party = party_of(desk, interaction, channel)
        await desk.answers.think(interaction)
        await tell(desk, interaction, party, await desk.consent.switch_off(party))

    return described_command(desk, "off", switch_off, "channel")


def _quiet(desk: Desk) -> Command:
    async def set_quiet(
        interaction: discord.Interaction[Any],
        times: Range[str, 1, _LONGEST_TEXT] | None = None,
        channel: Channel | None = None,
    ) -> None:
        party = party_of(desk, interaction, channel)
        await desk.answers.think(interaction)
        await tell(desk, interaction, party, await desk.consent.set_quiet(party, times))

    return described_command(desk, "quiet", set_quiet, "times", "channel")


def _windows(desk: Desk) -> Command:
    async def set_windows(
        interaction: discord.Interaction[Any],
        times: Range[str, 1, _LONGEST_TEXT] | None = None,
        channel: Channel | None = None,
    ) -> None:
        party = party_of(desk, interaction, channel)
        await desk.answers.think(interaction)
        await tell(desk, interaction, party, await desk.consent.set_windows(party, times))

    return described_command(desk, "windows", set_windows, "times", "channel")


def _pace(desk: Desk) -> Command:
    async def set_pace(
        interaction: discord.Interaction[Any],
        per_day: Range[int, 1, _MOST_PER_DAY] | None = None,
        gap: Range[int, 1, _LONGEST_GAP] | None = None,
        channel: Channel | None = None,
    ) -> None:
        party = party_of(desk, interaction, channel)
        await desk.answers.think(interaction)
        await tell(desk, interaction, party, await desk.consent.set_pace(party, per_day, gap))

    return described_command(desk, "pace", set_pace, "per_day", "gap", "channel")


def _pause(desk: Desk) -> Command:
    async def pause(
        interaction: discord.Interaction[Any],
        hours: Range[int, 0, _HOURS_OF_A_WEEK] = 0,
        days: Range[int, 0, LONGEST_PAUSE_DAYS] = 0,
        channel: Channel | None = None,
    ) -> None:
        party = party_of(desk, interaction, channel)
        await desk.answers.think(interaction)
        await tell(desk, interaction, party, await desk.consent.pause(party, hours, days))

    return described_command(desk, "pause", pause, "hours", "days", "channel")


def described_command(
    desk: Desk,
    name: str,
    callback: Any,  # noqa: ANN401 - discord.py reads its parameters
    *parameters: str,
) -> Command:
    """Return a subcommand whose parameters are named and described in every language."""
    keys = {parameter: f"command.proactive.option.{parameter.replace('_', '-')}" for parameter in parameters}
    callback = app_commands.rename(**{name: desk.words(f"{key}.name") for name, key in keys.items()})(callback)
    callback = app_commands.describe(**{name: desk.words(f"{key}.description") for name, key in keys.items()})(callback)
    return app_commands.Command(
        name=desk.words(f"command.proactive.{name}.name"),
        description=desk.words(f"command.proactive.{name}.description"),
        callback=callback,
    )
