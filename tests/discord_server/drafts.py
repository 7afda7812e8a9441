"""What somebody wants to post, and Discord's checks of it."""

from dataclasses import dataclass, field, replace

from tests.discord_server.errors import ApiError, invalid_form
from tests.discord_server.flags import NO_FLAGS, MessageFlag
from tests.discord_server.message import Upload
from tests.discord_server.model import Json

MAX_CONTENT = 2000
MAX_EMBEDS = 10
MAX_EMBED_CHARACTERS = 6000
MAX_NONCE = 25


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What somebody wants to post."""

    content: str = ""
    embeds: list[Json] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    uploads: tuple[Upload, ...] = ()
    reference_id: int | None = None
    fail_if_not_exists: bool = True
    allowed_mentions: Json | None = None
    nonce: str | None = None
    enforce_nonce: bool = False
    flags: MessageFlag = NO_FLAGS

    @classmethod
    def from_body(cls, body: Json, uploads: tuple[Upload, ...]) -> "Draft":
        """Read the body of a create-message request (or an interaction's `data`)."""
        reference = body.get("message_reference") or {}
        nonce = body.get("nonce")
        return cls(
            content=(body.get("content") or "").strip(),
            embeds=body.get("embeds") or [],
            components=body.get("components") or [],
            uploads=tuple(_described(uploads, body.get("attachments") or [])),
            reference_id=int(reference["message_id"]) if "message_id" in reference else None,
            fail_if_not_exists=reference.get("fail_if_not_exists", True),
            allowed_mentions=body.get("allowed_mentions"),
            nonce=None if nonce is None else str(nonce),
            enforce_nonce=bool(body.get("enforce_nonce")),
            flags=MessageFlag(body.get("flags") or 0),
        )

    def check(self) -> None:
        """Raise what Discord answers to an impossible message."""
        if len(self.content) > MAX_CONTENT:
            raise invalid_form("content", "BASE_TYPE_MAX_LENGTH", f"Must be {MAX_CONTENT} or fewer in length.")
        if self.nonce is not None and len(self.nonce) > MAX_NONCE:
            raise invalid_form("nonce", "BASE_TYPE_MAX_LENGTH", f"Must be {MAX_NONCE} or fewer in length.")
        if len(self.embeds) > MAX_EMBEDS:
            raise invalid_form("embeds", "BASE_TYPE_MAX_LENGTH", f"Must be {MAX_EMBEDS} or fewer in length.")
        if sum(_embed_length(embed) for embed in self.embeds) > MAX_EMBED_CHARACTERS:
            raise invalid_form("embeds", "MAX_EMBED_SIZE_EXCEEDED", "Embed size exceeds maximum size of 6000")
        if not (self.content or self.embeds or self.components or self.uploads):
            raise ApiError(400, 50006, "Cannot send an empty message")


def _described(uploads: tuple[Upload, ...], entries: list[Json]) -> list[Upload]:
    by_index = {str(entry.get("id")): entry.get("description") for entry in entries}
    return [replace(upload, description=by_index.get(str(index))) for index, upload in enumerate(uploads)]


def _embed_length(embed: Json) -> int:
    parts = [embed.get("title"), embed.get("description"), (embed.get("footer") or {}).get("text")]
    parts.append((embed.get("author") or {}).get("name"))
    for one in embed.get("fields") or []:
        parts += [one.get("name"), one.get("value")]
    return sum(len(part or "") for part in parts)
