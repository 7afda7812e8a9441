"""What the social side needs from the outside: posts, what was made of them, the way to read and to act on Discord."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from core.social.types import (
    Access,
    Action,
    AllowedChannel,
    CycleRecord,
    Digest,
    Interest,
    KnownPost,
    NewPost,
    PeerImpression,
    Post,
    PostImpression,
    ReadScope,
    Source,
    Trouble,
)


class PostSource(Protocol):
    """Posts where they stand: Discord, for one character's account; or the stored ones, where there is no Discord.

    Nothing that it returns was looked over: whose it is and whether it may be read is decided by core.
    """

    async def access(self, channels: Sequence[AllowedChannel]) -> list[Access]:
        """Return what the account may do in each channel now; one that is gone or out of reach allows nothing.

        Channels of servers that the account isn't in are left out.
        """

    async def newest(self, channel: AllowedChannel, *, after: int | None, limit: int) -> list[Post]:
        """Return the newest posts of a channel and its threads with ids above `after`, oldest first.

        What our own characters wrote may be left out: they keep that themselves.

        Raises:
            DeliveryError: the channel can't be read (`UnreachableError`, `forbidden`: a permission is missing).
        """

    async def chain(self, post: Post, *, limit: int) -> list[Post]:
        """Return what a post answers, what that answers, and so on: at most `limit`, oldest first; [] if unreadable."""

    async def replies(self, post: Post, *, limit: int) -> list[Post]:
        """Return the newest direct replies to a post, oldest first; [] if they can't be read.

        To the first post of a forum's thread every message in the thread is one that answers nothing else.
        """


class SocialActions(Protocol):
    """What a character's account does. Following is no action on Discord: that list is the character's own.

    Every method raises `DeliveryError` where nothing was done; `UnreachableError` with `forbidden` where a permission
    is missing.
    """

    async def like(self, post: Post) -> None:
        """React to a post."""

    async def reply(self, post: Post, text: str) -> Post:
        """Answer a post with a reference to it, pinging nobody else; return the answer as it stands."""

    async def post(self, channel: AllowedChannel, new: NewPost) -> Post:
        """Write a new post; in a forum it opens a thread. Return it as it stands."""


class PostStore(Protocol):
    """Posts of allowed channels, for as long as messages may be kept.

    Only of members who agreed to be remembered, and of our characters. They leave with their messages
    (`MessageArchive.delete`, `edit`, `delete_channel`, `delete_guild`, `delete_older_than`), with the consent, and with
    the person (`PrivacyStore.forget`).
    """

    async def add(self, posts: Sequence[Post]) -> int:
        """Keep posts; return how many are new. Left out: who gave no consent, and what the archive holds as sensitive.

        One that is there stays as it is.
        """

    async def get(self, post_ids: Sequence[int]) -> list[KnownPost]:
        """Return those of the posts that are kept, in the order of time."""

    async def unread(
        self, scope: ReadScope, source: Source, *, limit: int, choice: Collection[int | str] = ()
    ) -> list[KnownPost]:
        """Return what may be read by one way, newest first.

        `choice`: for `FOLLOWERS` the ids of the members whose posts are wanted. For `RECOMMENDED` there are
        `recommendable` and `get` instead.
        """

    async def recommendable(
        self, scope: ReadScope, *, limit: int, tags: Collection[str] = ()
    ) -> list[tuple[int, bytes]]:
        """Return ids and vectors of posts that may be read, newest first.

        The newest `limit` under each of the tags; without tags, of each channel.
        """

    async def by_author(self, author_id: int, *, channels: Collection[int], limit: int) -> list[KnownPost]:
        """Return somebody's newest posts, newest first."""

    async def recent(
        self, author_ids: Collection[int], *, channels: Collection[int], limit: int
    ) -> Mapping[int, Sequence[tuple[datetime, bytes | None]]]:
        """Return of each of some people when their newest posts were sent, with the vectors there are already."""

    async def by_character(self, character: str, *, limit: int) -> list[KnownPost]:
        """Return a character's newest posts, newest first; replies, too."""

    async def last_new_post(self, character: str) -> datetime | None:
        """Return when a character last posted something that was no reply, however long ago; None if it never did."""

    async def note_new_post(self, character: str, at: datetime) -> None:
        """Note that a character posts something that is no reply, before it does: a crash must not make two of it."""

    async def written_since(self, character: str, place_id: int, since: datetime) -> int:
        """Return how many posts and replies of a character in an allowed channel were sent since then."""

    async def followers(self, character: str, *, since: datetime, limit: int) -> list[int]:
        """Return who answered or mentioned a character since then (members and characters), the latest first."""

    async def chain(self, post_id: int, *, limit: int) -> list[KnownPost]:
        """Return what a post answers, as far back as it is kept: at most `limit`, oldest first."""

    async def replies(self, post_id: int, *, limit: int) -> list[KnownPost]:
        """Return the newest direct replies to a post that are kept, oldest first."""

    async def newest_id(self, place_id: int) -> int | None:
        """Return the id of the newest post kept of an allowed channel."""

    async def count(self) -> int:
        """Return how many posts are kept."""


class PostSummaryStore(Protocol):
    """What posts are about. It goes with its post, and with the text it was made of."""

    async def waiting(self, *, attempts: int, limit: int) -> list[Post]:
        """Return posts without a digest on which fewer than so many attempts failed, newest first."""

    async def put(self, post: Post, digest: Digest, *, embedding_model: str, now: datetime) -> bool:
        """Keep a digest; False if the post is gone, or was edited since it was read."""

    async def failed(self, post_id: int) -> None:
        """Count a failed attempt."""


class SocialStore(Protocol):
    """What characters make of posts and people, whom they follow, where they may go, and how their cycles went.

    The channels of a server that is left are closed with it (`GuildStore.delete`).
    """

    async def channels(self, guild_id: int | None = None) -> list[AllowedChannel]:
        """Return the allowed channels, of one server or of all."""

    async def allow(self, channel: AllowedChannel) -> None:
        """Open a channel to the characters, or change how."""

    async def disallow(self, channel_id: int) -> bool:
        """Close a channel, and delete the posts kept of it with all that was made of them; False if it was closed."""

    async def interest(self, character: str) -> Interest | None:
        """Return what a character cares about; None as long as it read nothing."""

    async def keep_interest(
        self, character: str, interest: Interest, *, source: str, embedding_model: str, history: int
    ) -> None:
        """Replace the interest; of all there ever were the newest `history` are kept.

        `source` is the text that its vector was made of, for making it anew with another model.
        """

    async def interest_history(self, character: str, *, limit: int, offset: int = 0) -> list[Interest]:
        """Return past interests and the present one, newest first."""

    async def keep_post_impression(self, character: str, impression: PostImpression) -> bool:
        """Keep what was thought of a post; False if there is one already, or the post is gone."""

    async def post_impressions(
        self, character: str, *, limit: int, offset: int = 0, peer_id: int | None = None
    ) -> list[PostImpression]:
        """Return impressions of posts, newest first; only of one person's where `peer_id` is given."""

    async def keep_peer_impression(self, character: str, impression: PeerImpression) -> bool:
        """Replace what is thought of somebody; False if they gave no consent (and are none of our characters)."""

    async def peer_impression(self, character: str, peer_id: int) -> PeerImpression | None:
        """Return what is thought of somebody."""

    async def peer_impressions(self, character: str, *, limit: int, offset: int = 0) -> list[PeerImpression]:
        """Return impressions of people, newest first."""

    async def counts(self, character: str) -> Mapping[str, int]:
        """Return how many `interests`, `people`, `posts` (impressions of them) and `following` there are."""

    async def following(self, character: str) -> list[int]:
        """Return whom a character follows, the longest first."""

    async def follow(self, character: str, peer_ids: Sequence[int], *, now: datetime) -> None:
        """Follow members who gave consent, and characters; whoever is followed stays so."""

    async def unfollow(self, character: str, peer_ids: Sequence[int]) -> None:
        """Follow them no more."""

    async def note_trouble(self, trouble: Trouble) -> bool:
        """Note a missing permission; False if that is known already."""

    async def clear_trouble(self, character: str, channel_id: int, action: Action) -> bool:
        """Note that a permission is there again; False if it was not missing."""

    async def troubles(self, character: str) -> list[Trouble]:
        """Return the missing permissions, the oldest first."""

    async def record_cycle(self, record: CycleRecord, *, keep: int) -> None:
        """Keep the numbers of a cycle; of each character the newest `keep` are kept."""

    async def cycles(self, character: str, *, limit: int) -> list[CycleRecord]:
        """Return the newest cycles, newest first."""


@dataclass(frozen=True, slots=True)
class Outdated:
    """Something whose vector is of another model than the system's. `kind` and `key` are the store's own."""

    kind: str
    key: int
    text: str


class EmbeddingStore(Protocol):
    """Which embedding model the vectors in the database are of: one for the whole system."""

    async def model(self) -> str | None:
        """Return the model's name; None in a database without vectors."""

    async def settle(self, model: str) -> str:
        """Record the model where none is; return the one that is recorded."""

    async def outdated(self, model: str, *, limit: int) -> list[Outdated]:
        """Return what has a vector of another model."""

    async def count_outdated(self, model: str) -> int:
        """Return how much of that there is."""

    async def renew(self, model: str, vectors: Sequence[tuple[Outdated, bytes]]) -> None:
        """Replace vectors, each only if what it was made of still stands; in one transaction."""

    async def switch(self, model: str) -> bool:
        """Make it the system's model; False as long as something is outdated."""
