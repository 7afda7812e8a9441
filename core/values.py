"""The words everything else is written in: ids, surfaces, messages, characters.

Ids are integers: Discord's snowflakes, or numbers of the same make for the terminal.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from core.lore.book import Lorebook

LARGEST_ID = 2**63 - 1


class Locale(StrEnum):
    """The languages every text exists in."""

    JA = "ja"
    EN = "en"


class Tier(StrEnum):
    """Which list of models a character uses (seed 002, 「AIモデルの定義」)."""

    ADVANCED = "advanced"
    BALANCED = "balanced"
    BASIC = "basic"


class SurfaceKind(StrEnum):
    """Where a conversation takes place."""

    DM = "dm"
    CHANNEL = "channel"
    THREAD = "thread"
    TERMINAL = "terminal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Surface:
    """One place of conversation. `parent_id` is the channel a thread belongs to."""

    kind: SurfaceKind
    channel_id: int
    guild_id: int | None = None
    parent_id: int | None = None

    @property
    def is_private(self) -> bool:
        """True where only one person and the character can read (DM, terminal)."""
        return self.kind in {SurfaceKind.DM, SurfaceKind.TERMINAL}


@dataclass(frozen=True, slots=True)
class ConversationKey:
    """A conversation: one character in one channel, thread or DM."""

    character: str
    channel_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Speaker:
    """Who wrote a message."""

    id: int
    name: str
    is_bot: bool = False


class AttachmentKind(StrEnum):
    """What the character can make of an attachment."""

    IMAGE = "image"
    TEXT = "text"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A file sent along. `data` holds an image's bytes, `text` what was read of a text file.

    Both are None when the file was too large, could not be read, or is of another kind; it is then only named.
    """

    kind: AttachmentKind
    name: str
    media_type: str
    size: int
    data: bytes | None = None
    text: str | None = None
    truncated: bool = False


class Address(StrEnum):
    """How a message speaks to the character; `NONE` when it does not."""

    DM = "dm"
    MENTION = "mention"
    REPLY = "reply"
    NAME = "name"
    COMMAND = "command"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """A message as it stands in a history or a reply chain. `is_self`: written by the character."""

    id: int
    author: Speaker
    text: str
    sent_at: datetime
    is_self: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class InboundMessage:
    """A message on its way in. `text` has mentions of the character removed and other mentions as names.

    `reply_chain` is oldest first and holds what this message answers, as far as it can be read.
    `content_hidden` is true when Discord withheld the text (no message-content intent). `to_others` is true when
    the message answers or mentions somebody else, and so is hardly meant for the character.
    `in_characters_thread`: in a thread where the character takes part.
    """

    id: int
    author: Speaker
    surface: Surface
    text: str
    sent_at: datetime
    address: Address
    reply_chain: tuple[Utterance, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    content_hidden: bool = False
    to_others: bool = False
    in_characters_thread: bool = False
    locale_hint: Locale | None = None

    def as_utterance(self) -> Utterance:
        """Return the message as it will stand in the history."""
        return Utterance(id=self.id, author=self.author, text=self.text, sent_at=self.sent_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class Character:
    """A character as a turn sees it, loaded from a validated pack.

    `introduction` is its public profile; `personality` is for prompts and operators only. Both by locale,
    and both complete: each has every locale of `locales`. `lore` is background that is told where a talk touches it,
    `voice` are examples of how it talks; both may lack locales.
    """

    name: str
    display_name: dict[Locale, str]
    call_names: tuple[str, ...]
    locale: Locale
    timezone: str
    tier: Tier
    introduction: dict[Locale, str]
    personality: dict[Locale, str] = field(repr=False)
    tags: tuple[str, ...] = ()
    token_env: str | None = None
    lore: Mapping[Locale, Lorebook] = field(default_factory=dict, repr=False)
    voice: Mapping[Locale, tuple[str, ...]] = field(default_factory=dict, repr=False)

    @property
    def locales(self) -> tuple[Locale, ...]:
        """The locales the character speaks, its own first."""
        rest = tuple(locale for locale in self.personality if locale != self.locale)
        return (self.locale, *rest)


@dataclass(frozen=True, slots=True, kw_only=True)
class UserProfile:
    """What is kept about a person who talked to a character.

    `locale` is what they chose, `seen_locale` what they were last seen writing in.
    """

    id: int
    locale: Locale | None = None
    seen_locale: Locale | None = None
    timezone: str | None = None
    opted_out: bool = False
    notice_shown: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FactSource:
    """The message in which a fact was told. No `guild_id`: in private."""

    message_id: int
    channel_id: int
    guild_id: int | None = None
    parent_id: int | None = None

    @classmethod
    def of(cls, message_id: int, surface: Surface) -> "FactSource":
        """Return the source that a message at a surface is."""
        return cls(
            message_id=message_id,
            channel_id=surface.channel_id,
            guild_id=surface.guild_id,
            parent_id=surface.parent_id,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptFact:
    """Something a person told about themselves and asked to have kept. `number` is theirs: 1, 2, 3, ...

    `source` is None for a fact that was set by a command, which nobody else could read.
    """

    number: int
    text: str
    told_at: datetime
    source: FactSource | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationSummary:
    """What was said in a conversation earlier, in a few sentences of a model's.

    `first` and `last` are the ids of the oldest and the newest message it was made of, directly or through the summary
    before it; `until` is when the latter was sent.
    """

    text: str
    first: int
    last: int
    until: datetime
    model: str
    made_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class GuildSettings:
    """What the operators of a server chose. `ambient` maps a channel id to the most ambient replies an hour."""

    guild_id: int
    locale: Locale | None = None
    timezone: str | None = None
    answers_bots: bool = False
    ambient: dict[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A stretch of talk in one conversation; a new one starts after a long pause."""

    started_at: datetime
    last_active_at: datetime
    turns: int = 0
