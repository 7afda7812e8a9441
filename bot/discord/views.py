"""The buttons below replies: answer again, and stop while it is being written."""

import re
from typing import Any, Protocol, Self

import discord

from bot.discord.buttons import REGENERATE_PATTERN, STOP_PATTERN, RegenerateId, stop_id
from prompts.messages import Messages


class ButtonActions(Protocol):
    """What pressing a button does; the client has one as `actions`."""

    async def regenerate(self, interaction: discord.Interaction[Any], pressed: RegenerateId) -> None:
        """Answer the message again in place of the reply."""

    async def stop_writing(self, interaction: discord.Interaction[Any], author_id: int) -> None:
        """Stop the reply that is being written."""


class RegenerateButton(discord.ui.DynamicItem[discord.ui.Button[Any]], template=REGENERATE_PATTERN):
    """Asks for another answer."""

    def __init__(self, pressed: RegenerateId, custom_id: str, label: str | None = None) -> None:
        super().__init__(discord.ui.Button(label=label, emoji="🔄", custom_id=custom_id))
        self._pressed = pressed

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Make the button again from its id, whenever it is pressed."""
        return cls(RegenerateId.decode(match), match[0], getattr(item, "label", None))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Hand over to the client."""
        actions: ButtonActions = interaction.client.actions
        await actions.regenerate(interaction, self._pressed)


class StopButton(discord.ui.DynamicItem[discord.ui.Button[Any]], template=STOP_PATTERN):
    """Stops a reply that is being written."""

    def __init__(self, author_id: int, label: str | None = None) -> None:
        super().__init__(discord.ui.Button(label=label, emoji="⏹️", custom_id=stop_id(author_id)))
        self._author_id = author_id

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Make the button again from its id, whenever it is pressed."""
        return cls(int(match["author"], 36), getattr(item, "label", None))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Hand over to the client."""
        actions: ButtonActions = interaction.client.actions
        await actions.stop_writing(interaction, self._author_id)


def regenerate_view(pressed: RegenerateId, messages: Messages, locale: str) -> discord.ui.View | None:
    """Return the view of a finished answer; None where the button's id would be too long."""
    custom_id = pressed.encode()
    if custom_id is None:
        return None
    return _view(RegenerateButton(pressed, custom_id, messages.text("button.regenerate", locale)))


def stop_view(author_id: int, messages: Messages, locale: str) -> discord.ui.View:
    """Return the view of an answer that is being written."""
    return _view(StopButton(author_id, messages.text("button.stop", locale)))


def is_unfinished(message: discord.Message) -> bool:
    """Return whether a reply still has its stop button: whoever wrote it was interrupted for good."""
    rows = (row for row in message.components if isinstance(row, discord.ActionRow))
    ids = (getattr(child, "custom_id", None) for row in rows for child in row.children)
    return any(custom_id and STOP_PATTERN.fullmatch(custom_id) for custom_id in ids)


def _view(item: discord.ui.Item[Any]) -> discord.ui.View:
    view = discord.ui.View(timeout=None)
    view.add_item(item)
    return view
