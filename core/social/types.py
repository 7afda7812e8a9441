"""What the social side is about: posts, the four layers of what a character makes of them, and what it did (seed 002).

Characters are named by their packs; members by their Discord ids. Vectors are the 512 stored bytes of
`core.social.vectors`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from core.values import Speaker, Surface


class Source(StrEnum):
    """By which way a post comes to be read."""

    FOLLOWEES = "followees"
    REPLIES = "replies"
    RECOMMENDED = "recommended"
    MENTIONS = "mentions"
    NEWEST = "newest"
    FOLLOWERS = "followers"


class PlaceKind(StrEnum):
    """What kind of channel it is: in a forum every post opens a thread and is long."""

    CHAT = "chat"
    FORUM = "forum"


class Action(StrEnum):
    """What a character may do in a channel, or not."""

    READ = "read"
    LIKE = "like"
    REPLY = "reply"
    POST = "post"


@dataclass(frozen=True, slots=True, kw_only=True)
class AllowedChannel:
    """A channel that a server's operators opened to the characters, with its threads.

    `per_hour`: how many posts and replies of each character there may be in an hour. `may_post`: new posts, too, not
    only answers.
    """

    channel_id: int
    guild_id: int
    kind: PlaceKind = PlaceKind.CHAT
    per_hour: int = 2
    may_post: bool = True


@dataclass(frozen=True, slots=True)
class Access:
    """What a character's account may do in an allowed channel at the moment, by Discord's permissions."""

    channel: AllowedChannel
    allowed: frozenset[Action] = frozenset(Action)

    def may(self, action: Action) -> bool:
        """Return whether the account may do that."""
        return action in self.allowed


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """A message of an allowed channel as the characters read it.

    `character`: which of our characters wrote it, None for a member's. `language`: "ja", "en", ..., None where the text
    tells nothing. `reply_to` is the post it answers and `answers` the character who wrote that, None for a member.
    `mentions`: the characters it mentions. `title`: of a forum's post. `open_to`: what its place lets others do with
    it (a locked thread takes no replies).
    """

    id: int
    author: Speaker
    surface: Surface
    text: str
    sent_at: datetime
    character: str | None = None
    language: str | None = None
    reply_to: int | None = None
    answers: str | None = None
    mentions: frozenset[str] = frozenset()
    title: str | None = None
    open_to: frozenset[Action] = frozenset({Action.LIKE, Action.REPLY})

    @property
    def place_id(self) -> int:
        """The allowed channel it stands in: a thread's parent."""
        return self.surface.parent_id or self.surface.channel_id

    def is_by(self, character: str) -> bool:
        """Return whether that character wrote it."""
        return self.character == character

    def answers_somebody_else(self, character: str) -> bool:
        """Return whether it is a reply, but not to that character."""
        return self.reply_to is not None and self.answers != character


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """What a post is about: a model's summary, tags without numbers, and the vector of both."""

    summary: str
    tags: tuple[str, ...]
    features: bytes


@dataclass(frozen=True, slots=True)
class KnownPost:
    """A post that is kept; without a digest as long as the background worker has not come to it."""

    post: Post
    digest: Digest | None = None

    @property
    def features(self) -> bytes | None:
        """Its vector."""
        return None if self.digest is None else self.digest.features


@dataclass(frozen=True, slots=True, kw_only=True)
class PostImpression:
    """What a character thought on reading a post, once and for all; it is also the mark that it was read."""

    post_id: int
    peer_id: int
    text: str
    tags: tuple[str, ...]
    should_like: bool
    should_reply: bool
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerImpression:
    """What a character thinks of somebody, as of the last time it thought about them. `name`: as they were called."""

    peer_id: int
    name: str
    text: str
    tags: tuple[str, ...]
    should_follow: bool
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Interest:
    """What a character cares about at the moment; the vector has some of the one before in it."""

    text: str
    tags: tuple[str, ...]
    features: bytes
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """A permission that was found missing, for an operator to mend."""

    character: str
    channel_id: int
    action: Action
    since: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CycleRecord:
    """A cycle in numbers: what was done (`read`, `liked`, ...) and what failed, by step. Never text.

    `note`: why it did nothing (`frozen`, `model`), empty where it went through.
    """

    character: str
    began_at: datetime
    ended_at: datetime
    done: Mapping[str, int] = field(default_factory=dict)
    failed: Mapping[str, int] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadScope:
    """What a character may read: unread posts of others in these channels, sent since then."""

    character: str
    channels: frozenset[int]
    since: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPost:
    """What a character is about to post. `title` is needed in a forum."""

    text: str
    tags: tuple[str, ...] = ()
    title: str | None = None
