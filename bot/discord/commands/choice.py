"""A button below a message that only the person sees."""

from collections.abc import Awaitable, Callable
from typing import Any

import discord


class Choice(discord.ui.Button[Any]):
    """A button with what pressing it does."""

    def __init__(
        self, label: str, style: discord.ButtonStyle, action: Callable[[discord.Interaction[Any]], Awaitable[None]]
    ) -> None:
        super().__init__(label=label, style=style)
        self._action = action

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Do it."""
        await self._action(interaction)
