"""The social side kept in memory, a Discord of a list of posts, and actions that are only noted down."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import count
from typing import Any

from core.clock import Clock
from core.errors import DeliveryError
from core.ports import Outdated
from core.social.embedding_text import digest_text
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
from core.values import Speaker, Surface, SurfaceKind, Tier


@dataclass
class KeptInterest:
    """An interest with what its vector is of."""

    interest: Interest
    source: str
    model: str


@dataclass
class SocialState:
    """What is stored of the social side, and the consents that it rests on."""

    consents: dict[int, datetime] = field(default_factory=dict)
    archive: dict[Any, Any] = field(default_factory=dict)
    tiers: dict[str, Tier] = field(default_factory=dict)
    social_channels: dict[int, AllowedChannel] = field(default_factory=dict)
    posts: dict[int, Post] = field(default_factory=dict)
    digests: dict[int, tuple[Digest, str]] = field(default_factory=dict)
    attempts: dict[int, int] = field(default_factory=dict)
    impressions: dict[tuple[str, int], PostImpression] = field(default_factory=dict)
    peers: dict[tuple[str, int], PeerImpression] = field(default_factory=dict)
    follows: dict[str, dict[int, datetime]] = field(default_factory=dict)
    interests: dict[str, list[KeptInterest]] = field(default_factory=dict)
    troubles: dict[tuple[str, int, Action], Trouble] = field(default_factory=dict)
    cycles: dict[str, list[CycleRecord]] = field(default_factory=dict)
    moments: dict[str, datetime] = field(default_factory=dict)
    embedding_model: str | None = None

    def drop_posts(self, gone: Callable[[Post], bool]) -> None:
        """Delete posts with all that was made of them."""
        for post_id in [post.id for post in self.posts.values() if gone(post)]:
            del self.posts[post_id]
            self.digests.pop(post_id, None)
            self.attempts.pop(post_id, None)
            self.impressions = {key: held for key, held in self.impressions.items() if key[1] != post_id}

    def edit_post(self, post_id: int, text: str) -> None:
        """Replace a post's text; what it is about is to be found out anew."""
        post = self.posts.get(post_id)
        if post is not None and post.text != text:
            self.posts[post_id] = replace(post, text=text)
            self.digests.pop(post_id, None)
            self.attempts.pop(post_id, None)

    def drop_impressions_in(self, guild_id: int, character: str) -> None:
        """Delete what a character thought of a server's posts."""
        there = {post.id for post in self.posts.values() if post.surface.guild_id == guild_id}
        self.impressions = {
            key: held for key, held in self.impressions.items() if key[0] != character or key[1] not in there
        }

    def close_guild(self, guild_id: int) -> None:
        """Close a server's channels and delete their posts."""
        self.social_channels = {
            channel_id: channel for channel_id, channel in self.social_channels.items() if channel.guild_id != guild_id
        }
        self.drop_posts(lambda post: post.surface.guild_id == guild_id)

    def withdraw_consent(self, user_id: int) -> bool:
        """Forget a consent with what rests on it."""
        if self.consents.pop(user_id, None) is None:
            return False
        self.forget_peer(user_id)
        return True

    def forget_peer(self, user_id: int) -> None:
        """Delete everything about somebody."""
        self.drop_posts(lambda post: post.author.id == user_id)
        self.impressions = {key: held for key, held in self.impressions.items() if held.peer_id != user_id}
        self.peers = {key: held for key, held in self.peers.items() if key[1] != user_id}
        for followed in self.follows.values():
            followed.pop(user_id, None)

    def may_be_known(self, peer_id: int) -> bool:
        """Return whether somebody gave consent, or is one of our characters."""
        ours = any(post.author.id == peer_id and post.character is not None for post in self.posts.values())
        return peer_id in self.consents or ours

    def known(self, post: Post) -> KnownPost:
        """Return a post with what it is about."""
        held = self.digests.get(post.id)
        return KnownPost(post, None if held is None else held[0])

    def social_export(self, user_id: int) -> dict[str, list[dict[str, Any]]]:
        """Return everything about somebody."""
        return {
            "social_impressions": [
                {"character": key[0], "impression": held.text}
                for key, held in self.impressions.items()
                if held.peer_id == user_id
            ],
            "social_peers": [
                {"character": key[0], "impression": held.text} for key, held in self.peers.items() if key[1] == user_id
            ],
            "social_follows": [
                {"character": character} for character, followed in self.follows.items() if user_id in followed
            ],
            "social_posts": [
                {"post_id": str(post.id), "text": post.text}
                for post in self.posts.values()
                if post.author.id == user_id
            ],
        }


class InMemoryPosts:
    """`PostStore`."""

    def __init__(self, state: SocialState | None = None) -> None:
        self.state = state or SocialState()

    async def add(self, posts: Sequence[Post]) -> int:
        new = {post.id: post for post in posts if post.id not in self.state.posts and self._may_be_kept(post)}
        self.state.posts.update(new)
        for post in posts:
            if post.character is not None and post.reply_to is None:
                await self.note_new_post(post.character, post.sent_at)
        return len(new)

    async def get(self, post_ids: Sequence[int]) -> list[KnownPost]:
        held = self.state.posts
        return self._known(held[post_id] for post_id in sorted(set(post_ids) & held.keys()))

    async def unread(
        self, scope: ReadScope, source: Source, *, limit: int, choice: Collection[int | str] = ()
    ) -> list[KnownPost]:
        found = [post for post in self._unread(scope) if self._comes_by(post, source, scope.character, choice)]
        return self._known(found[:limit])

    async def recommendable(
        self, scope: ReadScope, *, limit: int, tags: Collection[str] = ()
    ) -> list[tuple[int, bytes]]:
        digests = self.state.digests
        usable = [post for post in self._unread(scope) if post.id in digests]
        groups: list[list[Post]] = (
            [[post for post in usable if tag.lower() in _tags(digests[post.id][0])] for tag in tags]
            if tags
            else [[post for post in usable if post.place_id == place_id] for place_id in scope.channels]
        )
        found = {post.id: digests[post.id][0].features for group in groups for post in group[:limit]}
        return sorted(found.items(), reverse=True)

    async def by_author(self, author_id: int, *, channels: Collection[int], limit: int) -> list[KnownPost]:
        theirs = [post for post in self.state.posts.values() if post.author.id == author_id]
        found = [post for post in theirs if post.place_id in channels]
        return self._known(sorted(found, key=lambda post: -post.id)[:limit])

    async def recent(
        self, author_ids: Collection[int], *, channels: Collection[int], limit: int
    ) -> dict[int, list[tuple[datetime, bytes | None]]]:
        return {
            author_id: [
                (known.post.sent_at, known.features)
                for known in await self.by_author(author_id, channels=channels, limit=limit)
            ]
            for author_id in author_ids
        }

    async def by_character(self, character: str, *, limit: int) -> list[KnownPost]:
        return self._known([post for post in self._newest() if post.character == character][:limit])

    async def last_new_post(self, character: str) -> datetime | None:
        return self.state.moments.get(character)

    async def note_new_post(self, character: str, at: datetime) -> None:
        held = self.state.moments.get(character)
        self.state.moments[character] = at if held is None else max(held, at)

    async def written_since(self, character: str, place_id: int, since: datetime) -> int:
        return sum(
            post.character == character and post.place_id == place_id and post.sent_at >= since
            for post in self.state.posts.values()
        )

    async def followers(self, character: str, *, since: datetime, limit: int) -> list[int]:
        told = (
            post.author.id
            for post in self._newest()
            if post.sent_at >= since
            and post.character != character
            and (post.answers == character or character in post.mentions)
        )
        return list(dict.fromkeys(told))[:limit]

    async def chain(self, post_id: int, *, limit: int) -> list[KnownPost]:
        found: list[Post] = []
        post = self.state.posts.get(post_id)
        while post is not None and post.reply_to is not None and len(found) < limit:
            post = self.state.posts.get(post.reply_to)
            if post is None or post in found:
                break
            found.append(post)
        return self._known(found[::-1])

    async def replies(self, post_id: int, *, limit: int) -> list[KnownPost]:
        return self._known([post for post in self._newest() if post.reply_to == post_id][:limit])[::-1]

    async def newest_id(self, place_id: int) -> int | None:
        return max((post.id for post in self.state.posts.values() if post.place_id == place_id), default=None)

    async def count(self) -> int:
        return len(self.state.posts)

    def _comes_by(self, post: Post, source: Source, character: str, choice: Collection[int | str]) -> bool:
        match source:
            case Source.FOLLOWEES:
                return post.author.id in self.state.follows.get(character, {})
            case Source.REPLIES:
                return post.answers == character
            case Source.MENTIONS:
                return character in post.mentions
            case Source.FOLLOWERS:
                return post.author.id in choice
            case Source.NEWEST:
                return True
            case Source.RECOMMENDED:
                raise ValueError("recommended posts are chosen among `recommendable`")

    def _may_be_kept(self, post: Post) -> bool:
        sensitive = any(
            entry.sensitive for (_, message_id), entry in self.state.archive.items() if message_id == post.id
        )
        return not sensitive and (post.character is not None or post.author.id in self.state.consents)

    def _unread(self, scope: ReadScope) -> list[Post]:
        return [
            post
            for post in self._newest()
            if (scope.character, post.id) not in self.state.impressions
            and post.character != scope.character
            and post.place_id in scope.channels
            and post.sent_at >= scope.since
        ]

    def _newest(self) -> list[Post]:
        return [self.state.posts[post_id] for post_id in sorted(self.state.posts, reverse=True)]

    def _known(self, posts: Iterable[Post]) -> list[KnownPost]:
        return [self.state.known(post) for post in posts]


def _tags(digest: Digest) -> set[str]:
    return {tag.lower() for tag in digest.tags}


class InMemoryPostSummaries:
    """`PostSummaryStore`."""

    def __init__(self, state: SocialState | None = None) -> None:
        self.state = state or SocialState()

    async def waiting(self, *, attempts: int, limit: int) -> list[Post]:
        without = (p for p in self.state.posts.values() if p.id not in self.state.digests)
        tried = self.state.attempts
        return sorted((p for p in without if tried.get(p.id, 0) < attempts), key=lambda p: -p.id)[:limit]

    async def put(self, post: Post, digest: Digest, *, embedding_model: str, now: datetime) -> bool:
        held = self.state.posts.get(post.id)
        if held is None or held.text != post.text:
            return False
        self.state.digests[post.id] = (digest, embedding_model)
        return True

    async def failed(self, post_id: int) -> None:
        self.state.attempts[post_id] = self.state.attempts.get(post_id, 0) + 1


class InMemorySocial:
    """`SocialStore`."""

    def __init__(self, state: SocialState | None = None) -> None:
        self.state = state or SocialState()

    async def channels(self, guild_id: int | None = None) -> list[AllowedChannel]:
        channels = sorted(self.state.social_channels.values(), key=lambda channel: channel.channel_id)
        return [channel for channel in channels if guild_id in {None, channel.guild_id}]

    async def allow(self, channel: AllowedChannel) -> None:
        self.state.social_channels[channel.channel_id] = channel

    async def disallow(self, channel_id: int) -> bool:
        self.state.drop_posts(lambda post: channel_id in {post.surface.channel_id, post.place_id})
        self.state.troubles = {key: held for key, held in self.state.troubles.items() if key[1] != channel_id}
        return self.state.social_channels.pop(channel_id, None) is not None

    async def interest(self, character: str) -> Interest | None:
        held = self.state.interests.get(character)
        return held[-1].interest if held else None

    async def keep_interest(
        self, character: str, interest: Interest, *, source: str, embedding_model: str, history: int
    ) -> None:
        held = self.state.interests.setdefault(character, [])
        held.append(KeptInterest(interest, source, embedding_model))
        del held[: -max(1, history)]

    async def interest_history(self, character: str, *, limit: int, offset: int = 0) -> list[Interest]:
        newest = self.state.interests.get(character, [])[::-1]
        return [held.interest for held in newest[offset : offset + limit]]

    async def keep_post_impression(self, character: str, impression: PostImpression) -> bool:
        key = (character, impression.post_id)
        if key in self.state.impressions or impression.post_id not in self.state.posts:
            return False
        self.state.impressions[key] = impression
        return True

    async def post_impressions(
        self, character: str, *, limit: int, offset: int = 0, peer_id: int | None = None
    ) -> list[PostImpression]:
        mine = [
            held
            for key, held in self.state.impressions.items()
            if key[0] == character and peer_id in {None, held.peer_id}
        ]
        return sorted(mine, key=lambda held: (held.at, held.post_id), reverse=True)[offset : offset + limit]

    async def keep_peer_impression(self, character: str, impression: PeerImpression) -> bool:
        if not self.state.may_be_known(impression.peer_id):
            return False
        self.state.peers[character, impression.peer_id] = impression
        return True

    async def peer_impression(self, character: str, peer_id: int) -> PeerImpression | None:
        return self.state.peers.get((character, peer_id))

    async def peer_impressions(self, character: str, *, limit: int, offset: int = 0) -> list[PeerImpression]:
        mine = [held for key, held in self.state.peers.items() if key[0] == character]
        return sorted(mine, key=lambda held: (held.at, held.peer_id), reverse=True)[offset : offset + limit]

    async def counts(self, character: str) -> Mapping[str, int]:
        return {
            "interests": len(self.state.interests.get(character, [])),
            "people": sum(key[0] == character for key in self.state.peers),
            "posts": sum(key[0] == character for key in self.state.impressions),
            "following": len(self.state.follows.get(character, {})),
        }

    async def following(self, character: str) -> list[int]:
        held = self.state.follows.get(character, {})
        return sorted(held, key=lambda peer: (held[peer], peer))

    async def follow(self, character: str, peer_ids: Sequence[int], *, now: datetime) -> None:
        held = self.state.follows.setdefault(character, {})
        for peer in peer_ids:
            if self.state.may_be_known(peer):
                held.setdefault(peer, now)

    async def unfollow(self, character: str, peer_ids: Sequence[int]) -> None:
        for peer in peer_ids:
            self.state.follows.get(character, {}).pop(peer, None)

    async def note_trouble(self, trouble: Trouble) -> bool:
        key = (trouble.character, trouble.channel_id, trouble.action)
        if key in self.state.troubles:
            return False
        self.state.troubles[key] = trouble
        return True

    async def clear_trouble(self, character: str, channel_id: int, action: Action) -> bool:
        return self.state.troubles.pop((character, channel_id, action), None) is not None

    async def troubles(self, character: str) -> list[Trouble]:
        mine = [held for held in self.state.troubles.values() if held.character == character]
        return sorted(mine, key=lambda held: (held.since, held.channel_id, held.action))

    async def record_cycle(self, record: CycleRecord, *, keep: int) -> None:
        held = self.state.cycles.setdefault(record.character, [])
        held.append(record)
        del held[: -max(1, keep)]

    async def cycles(self, character: str, *, limit: int) -> list[CycleRecord]:
        return self.state.cycles.get(character, [])[::-1][:limit]


class InMemoryEmbeddings:
    """`EmbeddingStore`; the archive's vectors are the recall store's own here."""

    def __init__(self, state: SocialState | None = None) -> None:
        self.state = state or SocialState()

    async def model(self) -> str | None:
        return self.state.embedding_model

    async def settle(self, model: str) -> str:
        self.state.embedding_model = self.state.embedding_model or model
        return self.state.embedding_model

    async def outdated(self, model: str, *, limit: int) -> list[Outdated]:
        digests = [
            Outdated("digest", post_id, digest_text(digest.summary, digest.tags))
            for post_id, (digest, made_with) in self.state.digests.items()
            if made_with != model
        ]
        interests = [
            Outdated("interest", index, kept.source)
            for index, kept in enumerate(self._interests())
            if kept.model != model
        ]
        return [*digests, *interests][:limit]

    async def count_outdated(self, model: str) -> int:
        return len(await self.outdated(model, limit=len(self.state.digests) + len(self._interests())))

    async def renew(self, model: str, vectors: Sequence[tuple[Outdated, bytes]]) -> None:
        for of, vector in vectors:
            if of.kind == "digest":
                digest, _ = self.state.digests[of.key]
                self.state.digests[of.key] = (replace(digest, features=vector), model)
            else:
                kept = self._interests()[of.key]
                kept.interest, kept.model = replace(kept.interest, features=vector), model

    async def switch(self, model: str) -> bool:
        if await self.count_outdated(model):
            return False
        self.state.embedding_model = model
        return True

    def _interests(self) -> list[KeptInterest]:
        return [kept for held in self.state.interests.values() for kept in held]


class ListedPosts:
    """`PostSource`: posts from a list. `access` and `failing` may be changed while it is in use."""

    def __init__(self, posts: Iterable[Post] = ()) -> None:
        self.posts = list(posts)
        self.allowed: dict[int, frozenset[Action]] = {}
        self.failing: dict[int, DeliveryError] = {}
        self.read: list[int] = []

    async def access(self, channels: Sequence[AllowedChannel]) -> list[Access]:
        everything = frozenset(Action)
        return [Access(channel, self.allowed.get(channel.channel_id, everything)) for channel in channels]

    async def newest(self, channel: AllowedChannel, *, after: int | None, limit: int) -> list[Post]:
        self.read.append(channel.channel_id)
        if (error := self.failing.get(channel.channel_id)) is not None:
            raise error
        there = [post for post in self.posts if post.place_id == channel.channel_id and post.id > (after or 0)]
        return sorted(there, key=lambda post: post.id)[-limit:]

    async def chain(self, post: Post, *, limit: int) -> list[Post]:
        by_id = {one.id: one for one in self.posts}
        found: list[Post] = []
        above = by_id.get(post.reply_to or 0)
        while above is not None and len(found) < limit:
            found.append(above)
            above = by_id.get(above.reply_to or 0)
        return found[::-1]

    async def replies(self, post: Post, *, limit: int) -> list[Post]:
        return sorted((one for one in self.posts if one.reply_to == post.id), key=lambda one: one.id)[-limit:]


@dataclass(frozen=True)
class Done:
    """An action that was asked for."""

    action: Action
    place_id: int
    post_id: int | None
    text: str = ""


class RecordingActions:
    """`SocialActions` of one character: everything is noted in `done`, and nothing leaves.

    `failing` holds errors by action. What is written gets ids from `ids`, which several characters may share.
    """

    def __init__(self, character: str, account_id: int, *, clock: Clock, ids: Iterable[int] | None = None) -> None:
        self.character = character
        self.account_id = account_id
        self.done: list[Done] = []
        self.written: list[Post] = []
        self.failing: dict[Action, DeliveryError] = {}
        self._clock = clock
        self._ids = iter(ids if ids is not None else count(1_000_000))

    async def like(self, post: Post) -> None:
        self._do(Action.LIKE, post.place_id, post.id)

    async def reply(self, post: Post, text: str) -> Post:
        self._do(Action.REPLY, post.place_id, post.id, text)
        return self._write(text, post.surface, reply_to=post.id, answers=post.character)

    async def post(self, channel: AllowedChannel, new: NewPost) -> Post:
        self._do(Action.POST, channel.channel_id, None, new.text)
        surface = Surface(kind=SurfaceKind.CHANNEL, channel_id=channel.channel_id, guild_id=channel.guild_id)
        return self._write(new.text, surface, title=new.title)

    def _do(self, action: Action, place_id: int, post_id: int | None, text: str = "") -> None:
        if (error := self.failing.get(action)) is not None:
            raise error
        self.done.append(Done(action, place_id, post_id, text))

    def _write(
        self,
        text: str,
        surface: Surface,
        *,
        reply_to: int | None = None,
        answers: str | None = None,
        title: str | None = None,
    ) -> Post:
        post = Post(
            id=next(self._ids),
            author=Speaker(id=self.account_id, name=self.character, is_bot=True),
            surface=surface,
            text=text,
            sent_at=self._clock.now(),
            character=self.character,
            language="en",
            reply_to=reply_to,
            answers=answers,
            title=title,
        )
        self.written.append(post)
        return post
