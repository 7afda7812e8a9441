"""`/privacy export`: everything kept about a person, as two files that only they see."""

import asyncio
import gzip
import io
import json
from collections.abc import Mapping
from typing import Any

import discord

from bot.discord.commands.desk import Desk
from bot.export import as_markdown
from core.values import Locale

_LARGEST = 9 * 1024 * 1024  # bytes of both files together; Discord takes ten megabytes
_NAME = "yorisoi-export"


async def export(desk: Desk, interaction: discord.Interaction[Any]) -> None:
    """Answer with the files; with packed ones, or with a word about it, where they are too large for Discord."""
    await desk.answers.think(interaction)
    locale = await desk.answers.locale(interaction)
    found = await desk.stores.privacy.export(interaction.user.id)
    files = await asyncio.to_thread(_files, desk, found, locale)
    if files is None:
        await desk.answers.tell(interaction, "export.too_large")
        return
    await desk.answers.hand_over(interaction, "export.done", files)


def _files(desk: Desk, found: Mapping[str, Any], locale: Locale) -> list[discord.File] | None:
    documents = {
        f"{_NAME}.md": as_markdown(found, desk.messages, locale).encode(),
        f"{_NAME}.json": json.dumps(found, ensure_ascii=False, indent=1).encode(),
    }
    if _size(documents) > _LARGEST:
        documents = {f"{name}.gz": gzip.compress(content) for name, content in documents.items()}
    if _size(documents) > _LARGEST:
        return None
    return [discord.File(io.BytesIO(content), name) for name, content in documents.items()]


def _size(documents: Mapping[str, bytes]) -> int:
    return sum(len(content) for content in documents.values())
