"""`PostSource`: posts where they stand on Discord, read with one character's account."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

import discord

from bot.discord.community.reading_posts import PostReading, parent_id
from bot.discord.courier import Courier
from bot.discord.places import Place, Places, may_read_history, may_write
from bot.discord.unreachable import as_unreachable
from core.errors import DeliveryError, UnreachableError
from core.social.types import Access, Action, AllowedChannel, Post

_Channel = discord.TextChannel | discord.ForumChannel
_MOST_THREADS = 20
_REPLIES_AMONG = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscordPosts:
    """Reads text channels, forums, and the public threads of both. Nothing is asked for that is known not to be."""

    client: discord.Client
    places: Places
    courier: Courier
    reading: PostReading

    async def access(self, channels: Sequence[AllowedChannel]) -> list[Access]:
        """Return what the account may do now, by the permissions that the gateway told of."""
        return [Access(channel, self._may(channel)) for channel in channels if self.client.get_guild(channel.guild_id)]

    async def newest(self, channel: AllowedChannel, *, after: int | None, limit: int) -> list[Post]:
        """Return the newest posts of members in a channel and its threads, oldest first."""
        place = self._place(channel.channel_id)
        if place is None or not _is_readable(place):
            raise UnreachableError(f"channel {channel.channel_id} may not be read", forbidden=True)
        found: list[Post] = []
        for one in _parts(place):
            if after is None or one.last_message_id is None or one.last_message_id > after:
                found += await self._new_in(one, after, limit)
        return sorted(found, key=lambda post: post.id)[-limit:]

    async def chain(self, post: Post, *, limit: int) -> list[Post]:
        """Return what a post answers, oldest first; it ends where something is gone or may not be read."""
        found: list[Post] = []
        above = post.reply_to
        try:
            place = await self.places.readable(post.surface.channel_id)
            while above is not None and len(found) < limit:
                answered = self.reading.post(await self.places.message(place, above))
                if answered is None:
                    break
                found.append(answered)
                above = answered.reply_to
        except DeliveryError:
            pass
        return found[::-1]

    async def replies(self, post: Post, *, limit: int) -> list[Post]:
        """Return the newest direct replies among the messages that came soon after a post, oldest first."""
        try:
            place = await self.places.readable(post.surface.channel_id)
            after = discord.Object(post.id)
            messages = await self._history(place, limit=_REPLIES_AMONG, after=after, oldest_first=True)
        except DeliveryError:
            return []
        direct = [self.reading.post(message) for message in messages if parent_id(message) == post.id]
        return [reply for reply in direct if reply is not None][-limit:]

    async def _new_in(self, place: Place, after: int | None, limit: int) -> list[Post]:
        messages = await self._history(place, limit=limit)
        posts = [self.reading.post(message) for message in messages if after is None or message.id > after]
        return [post for post in posts if post is not None and post.character is None]

    async def _history(self, place: Place, **options: object) -> list[discord.Message]:
        async def read() -> list[discord.Message]:
            pages: AsyncIterator[discord.Message] = place.history(**options)  # type: ignore[arg-type]
            return [message async for message in pages]

        try:
            return await self.courier.call(place.id, read, attempts=2)
        except DeliveryError as error:
            raise as_unreachable(error) from error

    def _place(self, channel_id: int) -> _Channel | None:
        found = self.client.get_channel(channel_id)
        return found if isinstance(found, _Channel) else None

    def _may(self, channel: AllowedChannel) -> frozenset[Action]:
        place = self._place(channel.channel_id)
        if place is None or not _is_readable(place):
            return frozenset()
        granted = place.permissions_for(place.guild.me)
        answers = granted.send_messages_in_threads if isinstance(place, discord.ForumChannel) else may_write(place)
        allowed = {
            Action.READ: True,
            Action.LIKE: granted.add_reactions,
            Action.REPLY: answers,
            Action.POST: granted.send_messages,
        }
        return frozenset(action for action, may in allowed.items() if may)


def _is_readable(place: _Channel) -> bool:
    if isinstance(place, discord.TextChannel):
        return may_read_history(place)
    granted = place.permissions_for(place.guild.me)
    return granted.view_channel and granted.read_message_history


def _parts(place: _Channel) -> list[discord.TextChannel | discord.Thread]:
    """Return the channel itself, where messages stand in it, and its public threads, the latest ones first."""
    public = [thread for thread in place.threads if not thread.is_private() and may_read_history(thread)]
    latest = sorted(public, key=lambda thread: thread.last_message_id or thread.id, reverse=True)[:_MOST_THREADS]
    return [*([place] if isinstance(place, discord.TextChannel) else []), *latest]
