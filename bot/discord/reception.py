"""Takes messages in: each once, those of a channel in order, and sees to it that replies find their way back."""

import asyncio
import weakref
from collections import OrderedDict
from collections.abc import Awaitable, Callable

import discord
import structlog

from bot.discord.courier import quietly
from bot.discord.inbound import Inbound
from bot.discord.outbound import DiscordReplies, Outbox
from bot.discord.places import may_read_history
from bot.discord.reading import Reading
from core.locale import detect_locale
from core.turn.companion import Companion
from core.values import InboundMessage

_REMEMBERED = 5000

_log = structlog.get_logger(__name__)


class Reception:
    """The way from the gateway to the companion."""

    def __init__(self, *, companion: Companion, inbound: Inbound, reading: Reading, outbox: Outbox) -> None:
        self._companion = companion
        self._inbound = inbound
        self._reading = reading
        self._outbox = outbox
        self._seen: OrderedDict[int, None] = OrderedDict()
        self._order: weakref.WeakValueDictionary[int, asyncio.Lock] = weakref.WeakValueDictionary()
        self._open = True

    def close(self) -> None:
        """Take nothing more."""
        self._open = False

    async def take(self, message: discord.Message) -> None:
        """Hand a new message to the companion; the character's own and Discord's announcements are passed over."""
        if self._reading.is_own(message) and isinstance(message.channel, discord.Thread):
            self._inbound.partners.wrote_in_thread(message.channel.id)
        if not self.is_new(message):
            return
        self.mark_seen(message.id)
        if message.guild is None:
            # Whoever writes can be written to again.
            self._outbox.courier.closed.reopen(message.channel.id)
        order = self._order.setdefault(message.channel.id, asyncio.Lock())
        async with order:
            try:
                inbound = await self._inbound.message(message)
                await self._companion.receive(inbound, self.replies(message, inbound))
            except Exception:
                await self._apologise(message)
                raise

    async def _apologise(self, message: discord.Message) -> None:
        """Tell whoever spoke to the character that something went wrong: a fault of ours must not meet silence."""
        if message.guild is not None and all(user.id != self._inbound.reading.own_id for user in message.mentions):
            return
        locale = detect_locale(message.content) or self._companion.character.locale
        text = self._outbox.messages.text("error.internal", locale)
        await quietly(message.channel.send(text, allowed_mentions=discord.AllowedMentions.none()))

    def is_new(self, message: discord.Message) -> bool:
        """Return whether a message is somebody's words and was not taken in yet."""
        if not self._open or message.id in self._seen:
            return False
        return self._reading.is_speech(message) and not self._reading.is_own(message)

    def mark_seen(self, message_id: int) -> None:
        """Remember that a message was taken in."""
        self._seen[message_id] = None
        while len(self._seen) > _REMEMBERED:
            self._seen.popitem(last=False)

    def unmark(self, message_id: int) -> None:
        """Forget that a message was taken in: it was not, after all."""
        self._seen.pop(message_id, None)

    def replies(
        self,
        message: discord.Message,
        inbound: InboundMessage,
        *,
        existing: tuple[discord.PartialMessage, ...] = (),
        aside: Callable[[str], Awaitable[None]] | None = None,
    ) -> DiscordReplies:
        """Return where replies to a message go; for `existing` and `aside` see `DiscordReplies`."""
        return DiscordReplies(
            channel=message.channel,
            channel_id=message.channel.id,
            guild_id=inbound.surface.guild_id,
            asked_id=message.id,
            author_id=message.author.id,
            locale=detect_locale(inbound.text) or inbound.locale_hint or self._companion.character.locale,
            outbox=self._outbox,
            # Without the permission to read history Discord refuses a message that refers to another.
            refers=may_read_history(message.channel),
            existing=existing,
            aside=aside,
        )
