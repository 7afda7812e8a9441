"""The buttons below replies: answer again, keep what was told or not, and stop while it is being written."""

import re
from typing import Any, Protocol, Self

import discord

from bot.discord.buttons import KEEP_PATTERN, REGENERATE_PATTERN, STOP_PATTERN, KeepId, RegenerateId, stop_id
from core.values import FactSource
from prompts.messages import Messages


class ButtonActions(Protocol):
    """What pressing a button does; the client has one as `actions`."""

    async def regenerate(self, interaction: discord.Interaction[Any], pressed: RegenerateId) -> None:
        """Answer the message again in place of the reply."""

    async def stop_writing(self, interaction: discord.Interaction[Any], author_id: int) -> None:
        """Stop the reply that is being written."""

    async def keep(self, interaction: discord.Interaction[Any], pressed: KeepId) -> None:
        """Keep what the message asks to have remembered, or don't."""


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


class KeepButton(discord.ui.DynamicItem[discord.ui.Button[Any]], template=KEEP_PATTERN):
    """Says whether to keep what was asked to have remembered."""

    def __init__(self, pressed: KeepId, label: str | None = None) -> None:
        super().__init__(
            discord.ui.Button(label=label, emoji="📌" if pressed.keep else None, custom_id=pressed.encode())
        )
        self._pressed = pressed

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Make the button again from its id, whenever it is pressed."""
        return cls(KeepId.decode(match), getattr(item, "label", None))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Hand over to the client."""
        actions: ButtonActions = interaction.client.actions
        await actions.keep(interaction, self._pressed)


def answer_view(
    pressed: RegenerateId, messages: Messages, locale: str, *, offered: FactSource | None = None
) -> discord.ui.View | None:
    """Return the view of a finished answer; `offered` is where something was told that may be kept.

    Without that, None where the button's id would be too long.
    """
    items: list[discord.ui.Item[Any]] = []
    if (custom_id := pressed.encode()) is not None:
        items.append(RegenerateButton(pressed, custom_id, messages.text("button.regenerate", locale)))
    if offered is not None:
        for keep, key in ((True, "button.keep"), (False, "button.keep_not")):
            chosen = KeepId(offered.message_id, pressed.author_id, keep)
            items.append(KeepButton(chosen, messages.text(key, locale)))
    return _view(*items) if items else None


def without_offer(message: discord.Message) -> discord.ui.View:
    """Return the buttons of a message without those that ask whether to keep something."""
    view = discord.ui.View.from_message(message, timeout=None)
    for item in list(view.children):
        if KEEP_PATTERN.fullmatch(getattr(item, "custom_id", None) or ""):
            view.remove_item(item)
    return view


def stop_view(author_id: int, messages: Messages, locale: str) -> discord.ui.View:
    """Return the view of an answer that is being written."""
    return _view(StopButton(author_id, messages.text("button.stop", locale)))


def is_unfinished(message: discord.Message) -> bool:
    """Return whether a reply still has its stop button: whoever wrote it was interrupted for good."""
    rows = (row for row in message.components if isinstance(row, discord.ActionRow))
    ids = (getattr(child, "custom_id", None) for row in rows for child in row.children)
    return any(custom_id and STOP_PATTERN.fullmatch(custom_id) for custom_id in ids)


def _view(*items: discord.ui.Item[Any]) -> discord.ui.View:
    view = discord.ui.View(timeout=None)
    for item in items:
        view.add_item(item)
    return view
