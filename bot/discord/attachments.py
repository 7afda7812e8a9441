"""Files sent along: images for models that see, the beginning of text files, names of everything else."""

import asyncio
from collections.abc import Sequence
from pathlib import PurePosixPath

import aiohttp
import discord
import structlog

from bot.discord.decoding import decode_text
from core.values import Attachment, AttachmentKind

MAX_IMAGES = 4
MAX_IMAGE_BYTES = 8 * 1024 * 1024
MAX_TEXT_FILES = 4
MAX_TEXT_BYTES = 1024 * 1024
MAX_TEXT_CHARACTERS = 8000
_SECONDS = 20.0

_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)
_IMAGE_TYPES = frozenset({"image/png", "image/jpeg", "image/webp", "image/gif"})
_TEXT_TYPES = frozenset(
    {"application/json", "application/xml", "application/toml", "application/yaml", "application/x-sh"}
)
_CODE = "css js ts jsx tsx py rb rs go java kt c h cpp hpp cs php swift sh bat ps1 sql lua tex diff patch"
_WRITING = "txt md markdown rst log csv tsv json jsonl yaml yml toml ini cfg conf xml html htm srt vtt env properties"
_TEXT_ENDINGS = frozenset(f".{ending}" for ending in f"{_CODE} {_WRITING}".split())

_log = structlog.get_logger(__name__)


async def read_attachments(
    attachments: Sequence[discord.Attachment], *, images: bool, texts: bool
) -> tuple[Attachment, ...]:
    """Return what is sent along, in order. `images` and `texts` say which of them are downloaded."""
    left = {AttachmentKind.IMAGE: MAX_IMAGES if images else 0, AttachmentKind.TEXT: MAX_TEXT_FILES if texts else 0}
    most = {AttachmentKind.IMAGE: MAX_IMAGE_BYTES, AttachmentKind.TEXT: MAX_TEXT_BYTES}
    jobs = []
    for attachment in attachments:
        kind = kind_of(attachment.filename, attachment.content_type)
        wanted = left.get(kind, 0) > 0 and attachment.size <= most[kind]
        left[kind] = left.get(kind, 0) - wanted
        jobs.append(_read(attachment, kind, wanted=wanted))
    return tuple(await asyncio.gather(*jobs))


def kind_of(name: str, media_type: str | None) -> AttachmentKind:
    """Return what a file is, by the type Discord gives and else by its ending."""
    essence = (media_type or "").split(";")[0].strip().casefold()
    if essence in _IMAGE_TYPES:
        return AttachmentKind.IMAGE
    if essence.startswith("text/") or essence in _TEXT_TYPES:
        return AttachmentKind.TEXT
    if essence.startswith(("image/", "audio/", "video/")):
        return AttachmentKind.OTHER
    ending = PurePosixPath(name.casefold()).suffix
    if ending in {".png", ".jpg", ".jpeg", ".webp", ".gif"}:
        return AttachmentKind.IMAGE
    return AttachmentKind.TEXT if ending in _TEXT_ENDINGS else AttachmentKind.OTHER


def image_type(data: bytes) -> str | None:
    """Return the media type that the first bytes tell, which is what a model's endpoint checks."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((media_type for signature, media_type in _SIGNATURES if data.startswith(signature)), None)


async def _read(attachment: discord.Attachment, kind: AttachmentKind, *, wanted: bool) -> Attachment:
    data = await _download(attachment) if wanted else None
    media_type = attachment.content_type or "application/octet-stream"
    if kind is AttachmentKind.IMAGE and data is not None:
        seen = image_type(data)
        data, media_type = (data, seen) if seen else (None, media_type)
    text = decode_text(data) if kind is AttachmentKind.TEXT and data is not None else None
    return Attachment(
        kind=kind,
        name=attachment.filename,
        media_type=media_type,
        size=attachment.size,
        data=data if kind is AttachmentKind.IMAGE else None,
        text=None if text is None else text[:MAX_TEXT_CHARACTERS],
        truncated=text is not None and len(text) > MAX_TEXT_CHARACTERS,
    )


async def _download(attachment: discord.Attachment) -> bytes | None:
    try:
        async with asyncio.timeout(_SECONDS):
            return await attachment.read()
    except (discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError) as error:
        _log.info("attachment.unread", attachment_id=attachment.id, fault=type(error).__name__)
        return None
