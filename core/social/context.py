"""What stands around a post: what it answers and what was answered to it (seed 002, replyChain, existingReplies)."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from core.ports import PostSource, PostStore, UserStore
from core.social.tokens import cut
from core.social.types import KnownPost, Post
from core.values import Character

_REPLIES_LOOKED_AT = 50

IsSensitive = Callable[[str], Awaitable[bool]]
"""Tells whether a text may not be read or kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """Reads conversations around posts, without what may not be read: sensitive texts, and people who opted out."""

    character: Character
    source: PostSource
    posts: PostStore
    users: UserStore
    is_sensitive: IsSensitive

    async def chain(self, post: Post, *, limit: int, tokens: int) -> list[dict[str, Any]]:
        """Return what a post answers, oldest first."""
        return await self._told(await self.source.chain(post, limit=limit), tokens) if limit else []

    async def replies(self, post: Post, *, limit: int, tokens: int) -> list[dict[str, Any]]:
        """Return the newest direct replies to a post, oldest first."""
        return await self._told(await self.source.replies(post, limit=limit), tokens) if limit else []

    async def has_answered(self, post: Post) -> bool:
        """Return whether the character answered a post already, be it as one who was spoken to."""
        replies = await self.source.replies(post, limit=_REPLIES_LOOKED_AT)
        return any(reply.is_by(self.character.name) for reply in replies)

    async def exchange_of_characters(self, post: Post, *, most: int) -> int:
        """Return how many posts of characters follow one another up to a post, itself included; at most `most`."""
        if post.character is None:
            return 0
        above = await self.source.chain(post, limit=most)
        length = 1
        for one in reversed(above):
            if one.character is None:
                break
            length += 1
        return min(length, most)

    async def _told(self, posts: Sequence[Post], tokens: int) -> list[dict[str, Any]]:
        readable = [post for post in posts if await self._may_be_read(post)]
        known = {one.post.id: one for one in await self.posts.get([post.id for post in readable])}
        return [as_told(known.get(post.id, KnownPost(post)), self.character.name, tokens=tokens) for post in readable]

    async def _may_be_read(self, post: Post) -> bool:
        if post.character is not None:
            return True
        if post.author.is_bot or (await self.users.get(post.author.id)).opted_out:
            return False
        return not await self.is_sensitive(post.text)


def as_told(known: KnownPost, character: str, *, tokens: int) -> dict[str, Any]:
    """Return a post as a prompt is told of it."""
    post = known.post
    told: dict[str, Any] = {
        "author": post.author.name,
        "is_self": post.is_by(character),
        "language": post.language,
        "sent_at": post.sent_at.strftime("%Y-%m-%d"),
        "content": cut(post.text, tokens),
    }
    if post.title:
        told["title"] = post.title
    if known.digest is not None:
        told["summary"] = known.digest.summary
        told["tags"] = list(known.digest.tags)
    return told
