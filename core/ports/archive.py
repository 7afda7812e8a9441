"""Past conversations: what is stored of them, how it is searched, where it is read again."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from core.values import LARGEST_ID, ConversationKey, ConversationSummary, Surface, Utterance


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveEntry:
    """One stored message. `text` is None when it was sensitive: then only who and when is kept.

    `owner_id`: the person of a private conversation, where the message is the character's and nobody else has spoken.
    """

    conversation: ConversationKey
    surface: Surface
    message_id: int
    author_id: int
    author_name: str
    is_self: bool
    text: str | None
    sent_at: datetime
    sensitive: bool = False
    edited_at: datetime | None = None
    owner_id: int | None = None


class MessageArchive(Protocol):
    """The text of past conversations, for as long as it may be kept."""

    async def add(self, entries: Sequence[ArchiveEntry]) -> None:
        """Store messages; one that is already there is left as it is."""

    async def edit(self, message_id: int, text: str | None, edited_at: datetime) -> bool:
        """Replace the text everywhere the message is stored; False if it is nowhere. A sensitive one stays empty.

        `text` None: the message has become sensitive, and is kept without its text from now on; the facts that were
        told in it are forgotten. Whatever it becomes, no summary of it is left.
        """

    async def delete(self, message_ids: Sequence[int]) -> int:
        """Delete messages with their index entries, summaries of them and the facts told in them.

        Returns how many messages went.
        """

    async def delete_channel(self, channel_id: int) -> int:
        """Delete everything of a channel that is gone; return how many rows went."""

    async def delete_guild(self, guild_id: int, *, character: str) -> int:
        """Delete everything a character had of a server it was removed from; return how many rows went."""

    async def recent(
        self, conversation: ConversationKey, *, limit: int, after: int = -1, before: int = LARGEST_ID
    ) -> list[Utterance]:
        """Return those of the newest messages with text whose ids lie between two others, oldest first.

        `limit` counts before the others are left out: no more is looked through.
        """

    async def delete_older_than(self, moment: datetime) -> int:
        """Delete what was sent before `moment`; return how many rows went."""


class SummaryStore(Protocol):
    """What was said in conversations before their windows. A summary goes with the first of its messages."""

    async def get(self, conversation: ConversationKey) -> ConversationSummary | None:
        """Return a conversation's summary."""

    async def put(
        self,
        conversation: ConversationKey,
        summary: ConversationSummary,
        *,
        read: Sequence[Utterance],
        replaces: ConversationSummary | None,
    ) -> bool:
        """Store a summary made of the messages `read`, oldest first, and the one it `replaces`.

        False if any of that is not as it was any more: a message was deleted, edited or became sensitive, its author
        opted out, or the earlier summary is gone. Nothing is stored then.
        """


class IndexTerms(Protocol):
    """Turns a text into the normalised terms it is indexed and searched under."""

    def __call__(self, text: str) -> list[str]:
        """Return the terms in order, repeated ones repeated; [] for a text without words."""


class HistorySource(Protocol):
    """Where a conversation's history is read again after a restart (Discord itself, or the archive)."""

    async def history(self, surface: Surface, *, before: int | None, limit: int) -> list[Utterance]:
        """Return the newest messages before that id, oldest first; [] where they can't be read."""
