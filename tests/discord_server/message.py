"""Messages and their files, with everything they ever were."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from tests.discord_server.flags import NO_FLAGS, MessageFlag, MessageKind
from tests.discord_server.model import Channel, Json, User


@dataclass(slots=True, frozen=True, kw_only=True)
class Upload:
    """A file on its way in."""

    filename: str
    data: bytes
    content_type: str | None = None
    description: str | None = None


@dataclass(slots=True, frozen=True, kw_only=True)
class Attachment:
    """A stored file; the server serves it at `url`."""

    id: int
    filename: str
    content_type: str | None
    data: bytes = field(repr=False)
    url: str
    description: str | None = None


@dataclass(slots=True, frozen=True, kw_only=True)
class Revision:
    """How a message looked from `at` on."""

    at: datetime
    content: str
    embeds: tuple[Json, ...] = ()
    components: tuple[Json, ...] = ()
    flags: MessageFlag = NO_FLAGS


@dataclass(slots=True, eq=False, kw_only=True)
class Message:
    """A message and everything it ever was: `revisions` has each state, the first one included.

    `thread_id` is the thread that a system message tells of.
    """

    id: int
    channel: Channel = field(repr=False)
    author: User
    sent_at: datetime
    kind: MessageKind = MessageKind.DEFAULT
    content: str = ""
    embeds: list[Json] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    mentions: list[User] = field(default_factory=list)
    mention_roles: list[int] = field(default_factory=list)
    mentions_everyone: bool = False
    reference_id: int | None = None
    thread_id: int | None = None
    reactions: dict[str, list[User]] = field(default_factory=dict)
    flags: MessageFlag = NO_FLAGS
    nonce: str | None = None
    allowed_mentions: Json | None = None
    application_id: int | None = None
    interaction: Json | None = None
    edited_at: datetime | None = None
    deleted: bool = False
    revisions: list[Revision] = field(default_factory=list, repr=False)

    @property
    def is_loading(self) -> bool:
        """True while it only says that the application is thinking."""
        return bool(self.flags & MessageFlag.LOADING)

    @property
    def is_ephemeral(self) -> bool:
        """True when only the person who ran the command can see it."""
        return bool(self.flags & MessageFlag.EPHEMERAL)

    @property
    def contents(self) -> list[str]:
        """The text of each revision."""
        return [revision.content for revision in self.revisions]

    def record(self, at: datetime) -> None:
        """Keep the present state as a revision."""
        self.revisions.append(
            Revision(
                at=at,
                content=self.content,
                embeds=tuple(self.embeds),
                components=tuple(self.components),
                flags=self.flags,
            )
        )
