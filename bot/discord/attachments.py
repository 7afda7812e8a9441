"""Files sent along: images for models that see, the beginning of text files, names of everything else."""

import asyncio
from collections.abc import Sequence
from pathlib import PurePosixPath

import discord
import structlog

from bot.discord.decoding import decode_text
from bot.discord.downloads import DownloadError, Downloads
from core.values import Attachment, AttachmentKind

MAX_TEXT_CHARACTERS = 8000

_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)
# What begins like this is something else than writing, whatever it calls itself.
_NO_TEXT = (
    *(signature for signature, _ in _SIGNATURES),
    *(b"%PDF-", b"PK\x03\x04", b"\x7fELF", b"\x1f\x8b", b"\xfd7zXZ", b"7z\xbc\xaf", b"Rar!\x1a", b"SQLite format 3\0"),
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
    attachments: Sequence[discord.Attachment], *, downloads: Downloads, images: bool, texts: bool
) -> tuple[Attachment, ...]:
    """Return what is sent along, in order. `images` and `texts` say which of them are downloaded."""
    limits = downloads.limits
    left = {AttachmentKind.IMAGE: limits.images if images else 0, AttachmentKind.TEXT: limits.texts if texts else 0}
    most = {AttachmentKind.IMAGE: limits.image_bytes, AttachmentKind.TEXT: limits.text_bytes}
    jobs = []
    for attachment in attachments:
        kind = kind_of(attachment.filename, attachment.content_type)
        wanted = left.get(kind, 0) > 0 and attachment.size <= most[kind]
        left[kind] = left.get(kind, 0) - wanted
        jobs.append(_read(attachment, kind, downloads, most=most[kind] if wanted else 0))
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


def text_in(data: bytes) -> str | None:
    """Return the text of a file, or None if its content is none."""
    return None if data.startswith(_NO_TEXT) else decode_text(data)


async def _read(attachment: discord.Attachment, kind: AttachmentKind, downloads: Downloads, *, most: int) -> Attachment:
    data = await _download(attachment, downloads, most) if most else None
    media_type = attachment.content_type or "application/octet-stream"
    if kind is AttachmentKind.IMAGE and data is not None:
        seen = image_type(data)
        data, media_type = (data, seen) if seen else (None, media_type)
    text = text_in(data) if kind is AttachmentKind.TEXT and data is not None else None
    return Attachment(
        kind=kind,
        name=attachment.filename,
        media_type=media_type,
        size=attachment.size,
        data=data if kind is AttachmentKind.IMAGE else None,
        text=None if text is None else text[:MAX_TEXT_CHARACTERS],
        truncated=text is not None and len(text) > MAX_TEXT_CHARACTERS,
    )


async def _download(attachment: discord.Attachment, downloads: Downloads, most: int) -> bytes | None:
    try:
        return await downloads.fetch(attachment.url, most=most)
    except DownloadError as error:
        _log.info("attachment.unread", attachment_id=attachment.id, fault=str(error))
        return None
