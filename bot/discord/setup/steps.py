"""What the panel's menus and buttons do: each step is stored at once, for whoever manages the server."""

import asyncio
import weakref
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import discord
import structlog

from bot.discord.commands.desk import Desk, NotAllowedError
from bot.discord.commands.proactive.parties import party_of, require_writable
from bot.discord.consent import Party
from bot.discord.setup.items import Channels
from bot.discord.setup.panel import MOST_CHANNELS, channels_of, panel, place_form, places_panel, state_of, text_of
from bot.personal import AUTO, timezones
from bot.timezones import MOST_SUGGESTIONS
from core.errors import CoreError
from core.proactive.types import Recipient, RecipientKind
from core.social.types import AllowedChannel, PlaceKind
from core.values import GuildSettings, Locale

_AMBIENT_AN_HOUR = 3
_SILENT = discord.AllowedMentions.none()

_log = structlog.get_logger(__name__)


class Setup:
    """`SetupActions` for one character."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._order: weakref.WeakValueDictionary[int, asyncio.Lock] = weakref.WeakValueDictionary()

    async def open(self, interaction: discord.Interaction[Any]) -> None:
        """Show the panel to whoever asked, and to nobody else.

        Raises:
            NotAllowedError: they don't manage the server, or are in none.
        """
        guild_id = self._desk.require_server(interaction)
        await self._desk.answers.think(interaction)
        await self._show(interaction, guild_id)

    async def over(self, interaction: discord.Interaction[Any]) -> None:
        """Tell somebody that what they used is too old to do anything."""
        await self._desk.answers.fail(interaction, "command.over")

    async def channels(self, interaction: discord.Interaction[Any], kind: str, chosen: Channels) -> None:
        """Let the character do something in these channels and in no others."""
        steps = {"ambient": self._ambient, "proactive": self._proactive, "social": self._social}

        async def step(guild_id: int) -> None:
            async with self._in_order(interaction, guild_id):
                refused = await steps[kind](interaction, guild_id, chosen)
                await self._show(interaction, guild_id, refused or await self._saved(interaction))

        await self._guarded(interaction, step)

    async def choice(self, interaction: discord.Interaction[Any], kind: str, chosen: str) -> None:
        """Set the language or the time zone."""

        def change(old: GuildSettings) -> GuildSettings:
            if kind == "zone":
                return replace(old, timezone=chosen)
            return replace(old, locale=None if chosen == AUTO else Locale(chosen))

        async def step(guild_id: int) -> None:
            async with self._in_order(interaction, guild_id):
                await self._change(interaction, guild_id, change)

        await self._guarded(interaction, step)

    async def button(self, interaction: discord.Interaction[Any], kind: str) -> None:
        """Open the panel, ask for a place, go back, or close it."""

        async def step(guild_id: int) -> None:
            if kind == "timezone":
                locale = await self._desk.answers.locale(interaction)
                await interaction.response.send_modal(place_form(self._desk, locale))
            elif kind == "open":
                await self.open(interaction)
            else:
                async with self._in_order(interaction, guild_id):
                    await (self._show if kind == "back" else self._close)(interaction, guild_id)

        await self._guarded(interaction, step)

    async def place(self, interaction: discord.Interaction[Any], wish: str) -> None:
        """Set the time zone by whatever the place was called; nothing means the character's own."""

        async def step(guild_id: int) -> None:
            async with self._in_order(interaction, guild_id):
                locale = await self._desk.answers.locale(interaction)
                found = (await timezones()).find(wish, locale) if wish.strip() else None
                if wish.strip() and found is None:
                    await self._offer(interaction, wish, locale)
                    return
                zone = found.zone if found else None
                await self._change(interaction, guild_id, lambda old: replace(old, timezone=zone))

        await self._guarded(interaction, step)

    async def _ambient(self, _: discord.Interaction[Any], guild_id: int, chosen: Channels) -> str | None:
        def change(old: GuildSettings) -> GuildSettings:
            kept = sorted(old.ambient)[MOST_CHANNELS:]  # more than a menu can show
            ids = {*kept, *(one.id for one in chosen)}
            return replace(old, ambient={one: old.ambient.get(one, _AMBIENT_AN_HOUR) for one in sorted(ids)})

        for one in chosen:
            if not isinstance(one, discord.app_commands.AppCommandThread):
                require_writable(one)
        settings = await self._desk.stores.guilds.get(guild_id)
        await self._desk.stores.guilds.put(change(settings))
        return None

    async def _proactive(self, interaction: discord.Interaction[Any], guild_id: int, chosen: Channels) -> str | None:
        """Store what can be; return why not everything was."""
        locale = await self._desk.answers.locale(interaction)
        known = (await channels_of(self._desk, guild_id, "proactive"))[:MOST_CHANNELS]
        for gone in set(known) - {one.id for one in chosen}:
            await self._desk.consent.switch_off(self._party(interaction, guild_id, gone))
        for one in chosen:
            if one.id in known or isinstance(one, discord.app_commands.AppCommandThread):
                continue
            require_writable(one)
            party = party_of(self._desk, interaction, one)
            told = await self._desk.consent.switch_on(party, None, locale)
            if not (await self._desk.consent.of(party)).enabled:
                key = "setup.zone_first" if told.key == "proactive.zone_needed_channel" else told.key
                return self._warned(locale, self._desk.messages.text(key, locale, **told.values))
        return None

    async def _social(self, _: discord.Interaction[Any], guild_id: int, chosen: Channels) -> str | None:
        social = self._desk.stores.social
        known = (await channels_of(self._desk, guild_id, "social"))[:MOST_CHANNELS]
        for gone in set(known) - {one.id for one in chosen}:
            await social.disallow(gone)
        for one in chosen:
            if one.id not in known:
                kind = PlaceKind.FORUM if one.type is discord.ChannelType.forum else PlaceKind.CHAT
                await social.allow(AllowedChannel(channel_id=one.id, guild_id=guild_id, kind=kind))
        return None

    def _party(self, interaction: discord.Interaction[Any], guild_id: int, channel_id: int) -> Party:
        recipient = Recipient(self._desk.character.name, RecipientKind.CHANNEL, channel_id)
        return Party(recipient=recipient, guild_id=guild_id, chosen_by=interaction.user.id)

    async def _offer(self, interaction: discord.Interaction[Any], wish: str, locale: Locale) -> None:
        """Ask which of the places is meant."""
        places = (await timezones()).search(wish, locale, limit=MOST_SUGGESTIONS)
        told = await self._desk.personal.unclear(wish, locale)
        text = self._desk.messages.text("setup.which_place" if places else told.key, locale, **told.values)
        await self._edit(interaction, self._warned(locale, text), places_panel(self._desk, locale, places))

    @asynccontextmanager
    async def _in_order(self, interaction: discord.Interaction[Any], guild_id: int) -> AsyncIterator[None]:
        """Let a server's steps pass one after the other, so that the panel shows what the last one left.

        Who comes first is settled before Discord is told that it takes a moment, since that may take one itself.
        """
        order = self._order.setdefault(guild_id, asyncio.Lock())
        place = asyncio.ensure_future(order.acquire())
        try:
            await interaction.response.defer()
            await place
            yield
        finally:
            if not place.cancel() and not place.cancelled():
                order.release()

    async def _change(
        self, interaction: discord.Interaction[Any], guild_id: int, change: Callable[[GuildSettings], GuildSettings]
    ) -> None:
        await self._desk.stores.guilds.put(change(await self._desk.stores.guilds.get(guild_id)))
        await self._show(interaction, guild_id, await self._saved(interaction))

    async def _close(self, interaction: discord.Interaction[Any], guild_id: int) -> None:
        del guild_id
        closed = self._desk.messages.text("setup.closed", await self._desk.answers.locale(interaction))
        await self._edit(interaction, closed, None)

    async def _show(self, interaction: discord.Interaction[Any], guild_id: int, note: str | None = None) -> None:
        locale = await self._desk.answers.locale(interaction)
        state = await state_of(self._desk, guild_id)
        await self._edit(interaction, text_of(self._desk, locale, note), panel(self._desk, locale, state))

    async def _edit(self, interaction: discord.Interaction[Any], text: str, view: discord.ui.View | None) -> None:
        await interaction.edit_original_response(content=text, view=view, allowed_mentions=_SILENT)

    async def _saved(self, interaction: discord.Interaction[Any]) -> str:
        return self._desk.messages.text("setup.saved", await self._desk.answers.locale(interaction))

    def _warned(self, locale: Locale, why: str) -> str:
        return self._desk.messages.text("setup.not_saved", locale, why=why)

    async def _guarded(self, interaction: discord.Interaction[Any], step: Callable[[int], Awaitable[None]]) -> None:
        """Do a step for whoever manages the server; tell everybody else, and of faults, in a friendly way."""
        answers = self._desk.answers
        try:
            await step(self._desk.require_server(interaction))
        except NotAllowedError as error:
            await answers.fail(interaction, error.key)
        except CoreError as error:
            _log.error("setup.failed", error=type(error).__name__)
            await answers.fail(interaction, error.hint)
        except Exception as error:  # noqa: BLE001 - else the person would be left without a word
            _log.error("setup.failed", error=type(error).__name__, exc_info=True)
            await answers.fail(interaction, "command.failed")
