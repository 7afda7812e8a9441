"""Stored posts as a source, where there is no Discord; and actions and stores for a rehearsal, which keep nothing."""

from collections.abc import Sequence
from itertools import count

from core.clock import Clock
from core.ports import PostSource, PostStore, SocialActions
from core.social.types import Access, AllowedChannel, NewPost, Post
from core.values import Speaker, Surface, SurfaceKind


class ArchivedPosts(PostSource):
    """`PostSource` on what is kept already: everything is allowed and nothing is new."""

    def __init__(self, posts: PostStore) -> None:
        self._posts = posts

    async def access(self, channels: Sequence[AllowedChannel]) -> list[Access]:
        """Return that everything may be done."""
        return [Access(channel) for channel in channels]

    async def newest(self, channel: AllowedChannel, *, after: int | None, limit: int) -> list[Post]:
        """Return nothing new."""
        del channel, after, limit
        return []

    async def chain(self, post: Post, *, limit: int) -> list[Post]:
        """Return what is kept of what a post answers."""
        return [known.post for known in await self._posts.chain(post.id, limit=limit)]

    async def replies(self, post: Post, *, limit: int) -> list[Post]:
        """Return what is kept of the replies to a post."""
        return [known.post for known in await self._posts.replies(post.id, limit=limit)]


class RehearsedActions(SocialActions):
    """`SocialActions` that does nothing; what would stand there is returned."""

    def __init__(self, character: str, *, clock: Clock) -> None:
        self._character = character
        self._clock = clock
        self._ids = count(1)

    async def like(self, post: Post) -> None:
        """Do nothing."""

    async def reply(self, post: Post, text: str) -> Post:
        """Return the answer as it would stand."""
        return self._post(text, post.surface, reply_to=post.id, answers=post.character)

    async def post(self, channel: AllowedChannel, new: NewPost) -> Post:
        """Return the post as it would stand."""
        surface = Surface(kind=SurfaceKind.CHANNEL, channel_id=channel.channel_id, guild_id=channel.guild_id)
        return self._post(new.text, surface)

    def _post(self, text: str, surface: Surface, *, reply_to: int | None = None, answers: str | None = None) -> Post:
        return Post(
            id=next(self._ids),
            author=Speaker(id=0, name=self._character, is_bot=True),
            surface=surface,
            text=text,
            sent_at=self._clock.now(),
            character=self._character,
            reply_to=reply_to,
            answers=answers,
        )
