"""`/privacy export`: everything kept about a person, as two files that only they see, also by direct message."""

import asyncio
import gzip
import io
import json
from collections.abc import Mapping
from typing import Any

import discord

from bot.discord.commands.choice import Choice
from bot.discord.commands.desk import Desk
from bot.export import as_markdown
from core.values import Locale

_LARGEST = 9 * 1024 * 1024  # bytes of both files together; Discord takes ten megabytes
_NAME = "yorisoi-export"
_OFFERED_SECONDS = 600.0


async def export(desk: Desk, interaction: discord.Interaction[Any]) -> None:
    """Answer with the files; with packed ones, or with a word about it, where they are too large for Discord."""
    await desk.answers.think(interaction)
    locale = await desk.answers.locale(interaction)
    found = await desk.stores.privacy.export(interaction.user.id)
    documents = await asyncio.to_thread(_documents, desk, found, locale)
    if documents is None:
        await desk.answers.tell(interaction, "export.too_large")
        return
    await desk.answers.hand_over(interaction, "export.done", _files(documents), view=_ByDm(desk, documents, locale))


class _ByDm(discord.ui.View):
    """Offers to send the files by direct message, too: what only one person sees on a server is gone after a while."""

    def __init__(self, desk: Desk, documents: Mapping[str, bytes], locale: Locale) -> None:
        super().__init__(timeout=_OFFERED_SECONDS)
        self._desk = desk
        self._documents = documents
        self._locale = locale
        self.add_item(Choice(self._text("export.by_dm"), discord.ButtonStyle.secondary, self._send))

    async def on_error(
        self, interaction: discord.Interaction[Any], error: Exception, _item: discord.ui.Item[Any]
    ) -> None:
        """Tell the person; what is wrong is for the log."""
        await self._desk.answers.fail(interaction, getattr(error, "hint", "command.failed"))
        raise error

    async def _send(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.response.defer()
        try:
            await interaction.user.send(self._text("export.title"), files=_files(self._documents))
        except discord.Forbidden:
            await self._desk.answers.tell(interaction, "export.dm_closed")
            return
        await interaction.edit_original_response(view=None)
        await self._desk.answers.tell(interaction, "export.dm_sent")
        self.stop()

    def _text(self, key: str) -> str:
        return self._desk.messages.text(key, self._locale)


def _files(documents: Mapping[str, bytes]) -> list[discord.File]:
    return [discord.File(io.BytesIO(content), name) for name, content in documents.items()]


def _documents(desk: Desk, found: Mapping[str, Any], locale: Locale) -> dict[str, bytes] | None:
    documents = {
        f"{_NAME}.md": as_markdown(found, desk.messages, locale).encode(),
        f"{_NAME}.json": json.dumps(found, ensure_ascii=False, indent=1).encode(),
    }
    if _size(documents) > _LARGEST:
        documents = {f"{name}.gz": gzip.compress(content) for name, content in documents.items()}
    if _size(documents) > _LARGEST:
        return None
    return documents


def _size(documents: Mapping[str, bytes]) -> int:
    return sum(len(content) for content in documents.values())
