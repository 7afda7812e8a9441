"""`SocialActions`: what one character's account does on Discord. Nothing that it writes pings anybody."""

import hashlib
from collections.abc import Awaitable
from dataclasses import dataclass, replace
from typing import TypeVar

import discord

from bot.discord.community.reading_posts import PostReading
from bot.discord.courier import Courier
from bot.discord.places import Place, Places
from bot.discord.splitting import split
from bot.discord.unreachable import as_unreachable
from bot.discord.wording import as_written
from core.errors import DeliveryError, UnreachableError
from core.social.types import AllowedChannel, NewPost, Post

_SILENT = discord.AllowedMentions.none()
_LIKE = "👍"
_MOST_TAGS = 5
_NONCE = 20

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscordDeeds:
    """Likes, replies and posts. Likes have a courier of their own: where one is refused, writing may be allowed."""

    client: discord.Client
    places: Places
    writing: Courier
    liking: Courier
    reading: PostReading

    async def like(self, post: Post) -> None:
        """React to a post; a second time changes nothing."""
        place = await self._find(post.surface.channel_id)
        await _told(self.liking.call(place.id, lambda: _partial(place, post.id).add_reaction(_LIKE)))

    async def reply(self, post: Post, text: str) -> Post:
        """Answer a post; a post that is gone meanwhile gets no answer."""
        place = await self._find(post.surface.channel_id)
        reference = _partial(place, post.id).to_reference()
        sent = await self._send(place, text, nonce=f"r{post.id}", reference=reference)
        return replace(self._stands(sent, text), reply_to=post.id, answers=post.character)

    async def post(self, channel: AllowedChannel, new: NewPost) -> Post:
        """Write a new post: a message, or a thread of a forum."""
        place = self.client.get_channel(channel.channel_id)
        if isinstance(place, discord.ForumChannel):
            return await self._open_thread(place, new)
        text_channel = await self._find(channel.channel_id)
        return self._stands(await self._send(text_channel, new.text, nonce=_nonce(new.text)), new.text)

    async def _open_thread(self, forum: discord.ForumChannel, new: NewPost) -> Post:
        """Open a thread in one attempt, since Discord knows no nonce there; what doesn't fit follows in it."""
        first, *rest = split(as_written(new.text))

        async def create() -> tuple[discord.Thread, discord.Message]:
            made = await forum.create_thread(
                name=new.title or first[:100],
                content=first,
                allowed_mentions=_SILENT,
                suppress_embeds=True,
                applied_tags=_applied(forum, new.tags),
            )
            return made.thread, made.message

        thread, message = await _told(self.writing.call(forum.id, create, attempts=1))
        post = replace(self._stands(message, new.text), title=thread.name)
        for page in rest:
            try:
                await self._send(thread, page, nonce=_nonce(page))
            except DeliveryError:
                break  # what stands there stands; a post without its end is no reason to post it again
        return post

    async def _send(
        self, place: Place, text: str, *, nonce: str, reference: discord.MessageReference | None = None
    ) -> discord.Message:
        words = as_written(text)

        def send() -> Awaitable[discord.Message]:
            if reference is None:
                return place.send(words, nonce=nonce, allowed_mentions=_SILENT, suppress_embeds=True)
            return place.send(words, nonce=nonce, allowed_mentions=_SILENT, reference=reference, suppress_embeds=True)

        return await _told(self.writing.call(place.id, send))

    def _stands(self, message: discord.Message, text: str) -> Post:
        post = self.reading.post(message)
        if post is None:
            raise DeliveryError("what was sent can't be read")
        return replace(post, text=text)

    async def _find(self, channel_id: int) -> Place:
        return await _told(self.places.find(channel_id))


async def _told(request: Awaitable[T]) -> T:
    try:
        return await request
    except DeliveryError as error:
        raise as_unreachable(error) from error


def _partial(place: Place, message_id: int) -> discord.PartialMessage:
    if isinstance(place, discord.GroupChannel):
        raise UnreachableError("a group conversation is no place for a bot")
    return place.get_partial_message(message_id)


def _applied(forum: discord.ForumChannel, wanted: tuple[str, ...]) -> list[discord.ForumTag]:
    """Return the forum's tags that a post has; where it insists on one and none fits, its first."""
    names = {name.casefold() for name in wanted}
    usable = [tag for tag in forum.available_tags if not tag.moderated]
    fitting = [tag for tag in usable if tag.name.casefold() in names][:_MOST_TAGS]
    return fitting or (usable[:1] if forum.flags.require_tag else [])


def _nonce(text: str) -> str:
    return "p" + hashlib.sha256(text.encode()).hexdigest()[:_NONCE]
