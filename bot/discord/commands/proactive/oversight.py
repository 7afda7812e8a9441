"""Where things stand and why, taking back what is next, and a stop for everybody."""

from datetime import UTC
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import AppCommandChannel as Channel

from bot.discord.commands.desk import Desk
from bot.discord.commands.proactive.choices import Command, described_command
from bot.discord.commands.proactive.parties import party_of
from bot.discord.commands.proactive.telling import explained, names, outcome_in_words, state_of, until_in_words
from bot.discord.consent import FOR_EVER, Party, stamp
from core.proactive.scheduling import next_due, slot_at, zone_of
from core.proactive.types import Reason, SlotRecord, SlotState, Subscription
from core.values import Locale

_RECENT = 25
_LONGEST_NAME = 100


def oversight(desk: Desk) -> list[Command]:
    """Return the commands."""
    return [_status(desk), _why(desk), _cancel(desk), _pause_all(desk)]


def _status(desk: Desk) -> Command:
    async def show(interaction: discord.Interaction[Any], channel: Channel | None = None) -> None:
        party = party_of(desk, interaction, channel)
        await desk.answers.think(interaction)
        locale = await desk.answers.locale(interaction)
        parts = [state_of(desk, await desk.consent.of(party), locale)]
        if channel is None:
            parts += await _of_the_server(desk, interaction, locale)
            parts += await _of_everybody(desk, interaction, locale)
        await desk.answers.say_at_length(interaction, "\n\n".join(parts))

    return described_command(desk, "status", show, "channel")


async def _of_the_server(desk: Desk, interaction: discord.Interaction[Any], locale: Locale) -> list[str]:
    """Return the state of every channel of the server, for those who manage it."""
    return [state_of(desk, one, locale) for one in await _channels(desk, interaction)]


async def _of_everybody(desk: Desk, interaction: discord.Interaction[Any], locale: Locale) -> list[str]:
    """Return how many there are and what became of recent occasions, for those who run the character."""
    until = await desk.stores.subscriptions.all_paused_until(desk.character.name)
    now = desk.clock.now()
    lines = [until_in_words(desk, "proactive.status_all_paused", until, locale)] if until and until > now else []
    if not desk.is_owner(interaction):
        return lines
    counts = await desk.stores.subscriptions.counts(desk.character.name, now=now)
    lines.append(desk.messages.text("proactive.status_counts", locale, **counts))
    return lines


def _why(desk: Desk) -> Command:
    async def explain(
        interaction: discord.Interaction[Any], occasion: str | None = None, channel: Channel | None = None
    ) -> None:
        party = party_of(desk, interaction, channel)
        await desk.answers.think(interaction)
        locale = await desk.answers.locale(interaction)
        record = await _record(desk, interaction, party, occasion)
        if record is None:
            await desk.answers.tell(interaction, "proactive.why_nothing")
            return
        await desk.answers.say_at_length(interaction, explained(desk, record, locale))

    async def suggest(interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[str]]:
        locale = await desk.answers.locale(interaction)
        own = party_of(desk, interaction, None).recipient
        subscriptions = [await desk.consent.of(Party(recipient=own)), *await _channels(desk, interaction)]
        named = [
            (_named(desk, one, record, locale), record.id)
            for one in subscriptions
            for record in await desk.stores.slots.recent(one.recipient, limit=_RECENT)
        ]
        fitting = [(name, key) for name, key in named if typed.casefold() in f"{name} {key}".casefold()]
        return [app_commands.Choice(name=name[:_LONGEST_NAME], value=key) for name, key in fitting[:_RECENT]]

    described = described_command(desk, "why", explain, "occasion", "channel")
    described.autocomplete("occasion")(suggest)
    return described


async def _channels(desk: Desk, interaction: discord.Interaction[Any]) -> list[Subscription]:
    """Return the channels of the server, to those who manage it."""
    if interaction.guild_id is None or not desk.manages_server(interaction):
        return []
    return await desk.stores.subscriptions.of_guild(interaction.guild_id, character=desk.character.name)


def _named(desk: Desk, subscription: Subscription, record: SlotRecord, locale: Locale) -> str:
    """Return an occasion in one line, on the recipient's clock."""
    local = record.due_at.astimezone(zone_of(subscription) or UTC)
    return f"{local:%m-%d %H:%M} {outcome_in_words(desk, record, locale)}"


async def _record(
    desk: Desk, interaction: discord.Interaction[Any], party: Party, occasion: str | None
) -> SlotRecord | None:
    """Return the occasion asked for, the latest if none was; those who run the character may look at any."""
    if occasion is None:
        return next(iter(await desk.stores.slots.recent(party.recipient, limit=1)), None)
    found = await desk.stores.slots.find(occasion)
    if found is None or found.recipient.character != desk.character.name:
        return None
    theirs = {party.recipient, *(one.recipient for one in await _channels(desk, interaction))}
    return found if found.recipient in theirs or desk.is_owner(interaction) else None


def _cancel(desk: Desk) -> Command:
    async def cancel(interaction: discord.Interaction[Any], channel: Channel | None = None) -> None:
        party = party_of(desk, interaction, channel)
        await desk.answers.think(interaction)
        policy, subscription = desk.repertoire.policy, await desk.consent.of(party)
        slot = slot_at(policy, subscription, subscription.due_at) if subscription.enabled else None
        if slot is None:
            await desk.answers.tell(interaction, "proactive.cancel_nothing")
            return
        record = SlotRecord(
            id=slot.id,
            recipient=party.recipient,
            slot_key=slot.key,
            due_at=slot.due_at,
            state=SlotState.SKIPPED,
            reason=Reason.CANCELLED,
        )
        if not await desk.stores.slots.decide(record):
            await desk.answers.tell(interaction, "proactive.cancel_late")
            return
        await desk.stores.subscriptions.schedule(subscription, next_due(policy, subscription, after=slot.due_at))
        await desk.answers.tell(interaction, "proactive.cancel_done", moment=stamp(slot.due_at))

    return described_command(desk, "cancel", cancel, "channel")


def _pause_all(desk: Desk) -> Command:
    async def pause_all(interaction: discord.Interaction[Any], lift: bool = False) -> None:
        if not desk.is_owner(interaction):
            desk.require_server(interaction)
        await desk.answers.think(interaction)
        until = None if lift else FOR_EVER
        if desk.is_owner(interaction):
            await desk.stores.subscriptions.pause_all(character=desk.character.name, until=until)
            key = "proactive.all_lifted" if lift else "proactive.all_paused"
        else:
            await _pause_server(desk, interaction, lift=lift)
            key = "proactive.server_lifted" if lift else "proactive.server_paused"
        locale = await desk.answers.locale(interaction)
        party = party_of(desk, interaction, None)
        await desk.answers.tell(interaction, key, name=names(desk, party, locale)["name"])

    return described_command(desk, "pause-all", pause_all, "lift")


async def _pause_server(desk: Desk, interaction: discord.Interaction[Any], *, lift: bool) -> None:
    guild_id = desk.require_server(interaction)
    for channel in await desk.stores.subscriptions.of_guild(guild_id, character=desk.character.name):
        await desk.consent.pause_channel(channel.recipient, None if lift else FOR_EVER)
