"""How the panel looks: what holds on the server now, as menus and buttons."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import discord

from bot.discord.commands.desk import Desk
from bot.discord.setup.items import (
    ZONE_FIELD,
    ZONE_FORM,
    ChannelsMenu,
    ChoiceMenu,
    setup_button,
    view_of,
)
from bot.personal import AUTO
from bot.timezones import MOST_SUGGESTIONS, Place
from core.values import Locale

MOST_CHANNELS = 25
LONGEST_LABEL, LONGEST_PLACE = 80, 100
_KINDS = {
    "ambient": [discord.ChannelType.text, discord.ChannelType.news],
    "proactive": [discord.ChannelType.text, discord.ChannelType.news],
    "social": [discord.ChannelType.text, discord.ChannelType.forum],
}


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """What holds on a server. `channels`: ids by what the character may do there; a kind it can't do is left out."""

    language: str
    zone: str | None
    channels: dict[str, list[int]]


async def state_of(desk: Desk, guild_id: int) -> State:
    """Return what holds on a server."""
    chosen = await desk.stores.guilds.get(guild_id)
    return State(
        language=chosen.locale or AUTO,
        zone=chosen.timezone,
        channels={kind: await channels_of(desk, guild_id, kind) for kind in _kinds(desk)},
    )


async def channels_of(desk: Desk, guild_id: int, kind: str) -> list[int]:
    """Return where on a server the character may do something, by id."""
    match kind:
        case "ambient":
            found = list((await desk.stores.guilds.get(guild_id)).ambient)
        case "proactive":
            held = await desk.stores.subscriptions.of_guild(guild_id, character=desk.character.name)
            found = [one.recipient.id for one in held if one.enabled]
        case _:
            found = [one.channel_id for one in await desk.stores.social.channels(guild_id)]
    return sorted(found)


def text_of(desk: Desk, locale: Locale, note: str | None) -> str:
    """Return the text above the menus; `note` tells what the last step did."""
    name = desk.character.display_name.get(locale, desk.character.name)
    head = desk.messages.text("setup.head", locale, name=name)
    return head if note is None else f"{head}\n\n{note}"


def panel(desk: Desk, locale: Locale, state: State) -> discord.ui.View:
    """Return the menus and buttons."""
    zone = state.zone or desk.messages.text("setup.zone_own", locale, zone=desk.character.timezone)
    place = desk.messages.text("setup.timezone", locale, zone=zone)[:LONGEST_LABEL]
    return view_of(
        *(_channels(desk, locale, kind, ids) for kind, ids in state.channels.items()),
        _languages(desk, locale, state.language),
        setup_button("timezone", place, emoji="🕒"),
        setup_button("done", desk.messages.text("setup.done", locale), style=discord.ButtonStyle.primary),
    )


def places_panel(desk: Desk, locale: Locale, places: Sequence[Place]) -> discord.ui.View:
    """Return a menu of places to choose one from, and a button to go back."""
    menu: discord.ui.Select[Any] = discord.ui.Select(
        custom_id="setup:zone", placeholder=desk.messages.text("setup.which_place", locale)
    )
    for place in places[:MOST_SUGGESTIONS]:
        named = desk.messages.text("timezone.suggestion", locale, **desk.personal.described(place, locale))
        menu.add_option(label=named[:LONGEST_PLACE], value=place.zone)
    again = setup_button("timezone", desk.messages.text("setup.other_place", locale), emoji="🕒")
    back = setup_button("back", desk.messages.text("setup.back", locale))
    return view_of(*([ChoiceMenu("zone", menu)] if places else []), again, back)


def place_form(desk: Desk, locale: Locale) -> discord.ui.Modal:
    """Return the form that asks for a place."""
    form = discord.ui.Modal(title=desk.messages.text("setup.form", locale), custom_id=ZONE_FORM, timeout=None)
    field: discord.ui.TextInput[Any] = discord.ui.TextInput(
        custom_id=ZONE_FIELD, required=False, max_length=LONGEST_PLACE
    )
    explained = desk.messages.text("setup.place_description", locale)
    form.add_item(
        discord.ui.Label(text=desk.messages.text("setup.place", locale), description=explained, component=field)
    )
    return form


def _kinds(desk: Desk) -> list[str]:
    return [kind for kind in _KINDS if kind != "proactive" or desk.repertoire.policy.enabled]


def _channels(desk: Desk, locale: Locale, kind: str, ids: Sequence[int]) -> ChannelsMenu:
    menu: discord.ui.ChannelSelect[Any] = discord.ui.ChannelSelect(
        custom_id=f"setup:{kind}",
        channel_types=_KINDS[kind],
        placeholder=desk.messages.text(f"setup.{kind}", locale),
        min_values=0,
        max_values=MOST_CHANNELS,
        default_values=[discord.SelectDefaultValue.from_channel(discord.Object(one)) for one in ids[:MOST_CHANNELS]],
    )
    return ChannelsMenu(kind, menu)


def _languages(desk: Desk, locale: Locale, chosen: str) -> ChoiceMenu:
    menu: discord.ui.Select[Any] = discord.ui.Select(custom_id="setup:language")
    for value in (AUTO, *(one.value for one in Locale)):
        menu.add_option(
            label=desk.messages.text(f"setup.language.{value}", locale),
            value=value,
            emoji="🌐",
            default=value == chosen,
        )
    return ChoiceMenu("language", menu)
