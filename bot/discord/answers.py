"""Answers to interactions: in the person's language, as the first answer or as a later one, whichever is due."""

from collections.abc import Sequence
from typing import Any

import discord
import structlog
from discord.utils import escape_markdown

from bot.discord.courier import quietly
from bot.discord.locales import to_locale
from bot.discord.splitting import split
from bot.personal import Told
from core.errors import StorageError
from core.ports import UserStore
from core.values import Locale
from prompts.messages import Messages

_SILENT = discord.AllowedMentions.none()

_log = structlog.get_logger(__name__)


class Answers:
    """Tells people things, for their eyes only unless said otherwise."""

    def __init__(self, *, messages: Messages, users: UserStore) -> None:
        self.messages = messages
        self._users = users

    async def locale(self, interaction: discord.Interaction[Any]) -> Locale:
        """Return the language a person chose with `/language`, else that of their Discord, else English."""
        try:
            chosen = (await self._users.get(interaction.user.id)).locale
        except StorageError as error:
            _log.error("interaction.user_unknown", reason=str(error))
            chosen = None
        return chosen or to_locale(interaction.locale) or Locale.EN

    async def tell(self, interaction: discord.Interaction[Any], key: str, **values: object) -> None:
        """Say a text to the person who asked."""
        await self.say(interaction, self.messages.text(key, await self.locale(interaction), **values))

    async def tell_told(self, interaction: discord.Interaction[Any], told: Told) -> None:
        """Say what became of a person's wish; their own words stand in it as they wrote them."""
        values = {name: escape_markdown(one) if name == "text" else one for name, one in told.values.items()}
        await self.tell(interaction, told.key, **values)

    async def say(
        self,
        interaction: discord.Interaction[Any],
        text: str,
        *,
        private: bool = True,
        view: discord.ui.View | None = None,
    ) -> None:
        """Say a text that is in the right language already.

        After a `think` it takes the place of the thinking state; after any other first answer it is a new message.
        """
        options: dict[str, Any] = {"allowed_mentions": _SILENT} | ({} if view is None else {"view": view})
        response = interaction.response
        if not response.is_done():
            await response.send_message(text, ephemeral=private, **options)
        elif response.type is discord.InteractionResponseType.deferred_channel_message:
            await interaction.edit_original_response(content=text, **options)
        else:
            await interaction.followup.send(text, ephemeral=private, **options)

    async def say_at_length(self, interaction: discord.Interaction[Any], text: str) -> None:
        """Say what may be too long for one message, for the eyes of the person who asked only."""
        first, *rest = split(text)
        await self.say(interaction, first)
        for page in rest:
            await interaction.followup.send(page, ephemeral=True, allowed_mentions=_SILENT)

    async def hand_over(
        self,
        interaction: discord.Interaction[Any],
        key: str,
        files: Sequence[discord.File],
        *,
        view: discord.ui.View | None = None,
    ) -> None:
        """Say a text with files, and buttons where there are any, to the person who asked, after a `think`."""
        text = self.messages.text(key, await self.locale(interaction))
        await interaction.edit_original_response(
            content=text, attachments=list(files), view=view, allowed_mentions=_SILENT
        )

    async def think(self, interaction: discord.Interaction[Any], *, private: bool = True) -> None:
        """Acknowledge within Discord's three seconds what may take longer."""
        await interaction.response.defer(ephemeral=private, thinking=True)

    async def fail(self, interaction: discord.Interaction[Any], key: str) -> None:
        """Say what went wrong; if not even that works, leave it."""
        await quietly(self.tell(interaction, key))
