"""The menus and buttons of the panel. What each does stands in its id, so they work after a restart, too."""

import re
from collections.abc import Sequence
from typing import Any, Protocol, Self

import discord
from discord.app_commands import AppCommandChannel, AppCommandThread

CHANNELS_PATTERN = re.compile(r"setup:(?P<kind>ambient|proactive|social)")
CHOICE_PATTERN = re.compile(r"setup:(?P<kind>language|zone)")
BUTTON_PATTERN = re.compile(r"setup:(?P<kind>open|timezone|back|done)")
ZONE_FORM, ZONE_FIELD = "setup:form", "place"

Channels = Sequence[AppCommandChannel | AppCommandThread]


class SetupActions(Protocol):
    """What using a part of the panel does; the client has one as `setup`."""

    async def channels(self, interaction: discord.Interaction[Any], kind: str, chosen: Channels) -> None:
        """Let the character do something in these channels and in no others."""

    async def choice(self, interaction: discord.Interaction[Any], kind: str, chosen: str) -> None:
        """Set the language or the time zone."""

    async def button(self, interaction: discord.Interaction[Any], kind: str) -> None:
        """Open the panel, ask for a place, go back, or close it."""


class ChannelsMenu(discord.ui.DynamicItem[discord.ui.ChannelSelect[Any]], template=CHANNELS_PATTERN):
    """A menu of channels for one of the things that are off until channels are chosen."""

    def __init__(self, kind: str, menu: discord.ui.ChannelSelect[Any]) -> None:
        super().__init__(menu)
        self._kind = kind

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Make the menu again from its id, whenever it is used."""
        menu = item if isinstance(item, discord.ui.ChannelSelect) else discord.ui.ChannelSelect(custom_id=match[0])
        return cls(match["kind"], menu)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Hand over to the client."""
        setup: SetupActions = interaction.client.setup
        await setup.channels(interaction, self._kind, self.item.values)


class ChoiceMenu(discord.ui.DynamicItem[discord.ui.Select[Any]], template=CHOICE_PATTERN):
    """A menu of languages, or of the places that go by a name."""

    def __init__(self, kind: str, menu: discord.ui.Select[Any]) -> None:
        super().__init__(menu)
        self._kind = kind

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Make the menu again from its id, whenever it is used."""
        menu = item if isinstance(item, discord.ui.Select) else discord.ui.Select(custom_id=match[0])
        return cls(match["kind"], menu)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Hand over to the client."""
        setup: SetupActions = interaction.client.setup
        await setup.choice(interaction, self._kind, self.item.values[0])


class SetupButton(discord.ui.DynamicItem[discord.ui.Button[Any]], template=BUTTON_PATTERN):
    """A button of the panel, or the one below a welcome that opens it."""

    def __init__(self, kind: str, button: discord.ui.Button[Any]) -> None:
        super().__init__(button)
        self._kind = kind

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Make the button again from its id, whenever it is pressed."""
        button = item if isinstance(item, discord.ui.Button) else discord.ui.Button(custom_id=match[0])
        return cls(match["kind"], button)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Hand over to the client."""
        setup: SetupActions = interaction.client.setup
        await setup.button(interaction, self._kind)


def setup_button(
    kind: str, label: str, *, emoji: str | None = None, style: discord.ButtonStyle = discord.ButtonStyle.secondary
) -> SetupButton:
    """Return a button."""
    return SetupButton(kind, discord.ui.Button(label=label, emoji=emoji, style=style, custom_id=f"setup:{kind}"))


def view_of(*items: discord.ui.Item[Any]) -> discord.ui.View:
    """Return a view that never ends."""
    view = discord.ui.View(timeout=None)
    for item in items:
        view.add_item(item)
    return view


def told_place(interaction: discord.Interaction[Any]) -> str | None:
    """Return what was written into the form that asks for a place; None for any other interaction.

    Read from what Discord sends, so that a form which was open during a restart is understood, too.
    """
    data: Any = interaction.data
    if interaction.type is not discord.InteractionType.modal_submit or data.get("custom_id") != ZONE_FORM:
        return None
    return next((str(one["value"]) for one in _fields(data["components"]) if one["custom_id"] == ZONE_FIELD), "")


def _fields(components: Sequence[Any]) -> list[Any]:
    found: list[Any] = []
    for one in components:
        found += [one] if "value" in one else []
        found += _fields([*one.get("components", []), *([one["component"]] if "component" in one else [])])
    return found
