"""Replies on their way out: shown while they grow, then exactly the finished text."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace

import discord

from bot.discord.buttons import RegenerateId
from bot.discord.courier import Courier, quietly
from bot.discord.pace import Pace
from bot.discord.pages import Page, Pages, compose
from bot.discord.splitting import split
from bot.discord.views import answer_view, stop_view
from bot.discord.wording import as_written
from core.clock import Clock
from core.ports import ReplySink
from core.turn.reply import Reply, ReplyKind
from core.values import Locale
from prompts.messages import Messages

# Discord shows the indicator for ten seconds.
_TYPING_SECONDS = 8.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Outbox:
    """What every reply of a character needs."""

    courier: Courier
    messages: Messages
    clock: Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscordReplies:
    """`ReplyChannel`: replies to one message. `refers`: Discord shows what is answered (which takes a permission).

    `existing` are messages that the reply is written over: of one that a crash interrupted, or of an answer that is to
    be generated again. In the latter case `aside` is set: the old text stays until the new one is complete, and a
    notice, which is no answer, is told there instead of being written over it.
    """

    channel: discord.abc.Messageable
    channel_id: int
    asked_id: int
    author_id: int
    locale: Locale
    outbox: Outbox
    guild_id: int | None = None
    refers: bool = True
    existing: tuple[discord.PartialMessage, ...] = ()
    aside: Callable[[str], Awaitable[None]] | None = None

    def open(self, turn_id: str) -> ReplySink:
        """Return the sink for one turn."""
        return DiscordSink(self, turn_id)


@dataclass(slots=True)
class DiscordSink:
    """`ReplySink`: one reply."""

    replies: DiscordReplies
    turn_id: str
    _pages: Pages = field(init=False)
    _pace: Pace = field(init=False, default_factory=Pace)
    _wanted: str = field(init=False, default="")
    _news: asyncio.Event = field(init=False, default_factory=asyncio.Event)
    _drawing: asyncio.Lock = field(init=False, default_factory=asyncio.Lock)
    _painter: asyncio.Task[None] | None = field(init=False, default=None)
    _completing: asyncio.Task[tuple[int, ...]] | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self._pages = Pages(
            channel=self.replies.channel,
            channel_id=self.replies.channel_id,
            reference=self._reference() if self.replies.refers else None,
            turn_id=self.turn_id,
            courier=self.replies.outbox.courier,
            sent=[Page(message=message) for message in self.replies.existing],
        )

    @contextlib.asynccontextmanager
    async def typing(self) -> AsyncIterator[None]:
        """Show that the character is writing while the context is open. Failing to show it is no error."""
        indicator = asyncio.create_task(self._keep_typing())
        try:
            yield
        finally:
            indicator.cancel()
            await asyncio.gather(indicator, return_exceptions=True)

    async def show(self, text: str) -> None:
        """Show the beginning of a reply soon; what comes faster than Discord's pace is skipped."""
        if self.replies.aside is not None or self._completing is not None:
            return
        self._wanted = text
        self._news.set()
        if self._painter is None:
            self._painter = asyncio.create_task(self._paint())

    async def finish(self, reply: Reply) -> tuple[int, ...]:
        """Send or complete the reply; return the ids of its messages. Raises `DeliveryError`.

        It runs to its end even when the caller is cancelled: half of a message can't be taken back.
        """
        if self._completing is None:
            self._completing = asyncio.create_task(self._complete(reply))
        return await asyncio.shield(self._completing)

    async def withdraw(self) -> None:
        """Remove what was shown; nothing if nothing was. Never raises."""
        await self._stop_painting()
        if self._completing is not None:
            await asyncio.gather(self._completing, return_exceptions=True)
        if self.replies.aside is None:
            await self._pages.clear()

    async def _complete(self, reply: Reply) -> tuple[int, ...]:
        await self._stop_painting()
        if self.replies.aside is not None and reply.kind is ReplyKind.NOTICE:
            await quietly(self.replies.aside(reply.text))
            return ()
        reply = self._with_offer(reply)
        texts = compose(reply)
        for number, text in enumerate(texts):
            await self._pages.put(number, text, self._last_view(reply) if number == len(texts) - 1 else None)
        await self._pages.cut_to(len(texts))
        return self._pages.ids

    def _with_offer(self, reply: Reply) -> Reply:
        """Return a reply that asks in its last line of small print whether to keep something."""
        if reply.offer is None:
            return reply
        text = discord.utils.escape_markdown(reply.offer.text)
        asked = self.replies.outbox.messages.text("memory.offer", self.replies.locale, text=text)
        return replace(reply, footnote="\n".join(part for part in (reply.footnote, asked) if part))

    def _reference(self) -> discord.MessageReference:
        replies = self.replies
        return discord.MessageReference(
            message_id=replies.asked_id,
            channel_id=replies.channel_id,
            guild_id=replies.guild_id,
            fail_if_not_exists=False,
        )

    def _last_view(self, reply: Reply) -> discord.ui.View | None:
        if reply.kind is not ReplyKind.ANSWER:
            return None
        pressed = RegenerateId(
            self.replies.asked_id, self.replies.author_id, self._pages.ids_before_last(compose(reply))
        )
        return answer_view(
            pressed,
            self.replies.outbox.messages,
            self.replies.locale,
            offered=reply.offer.source if reply.offer is not None else None,
        )

    async def _paint(self) -> None:
        """Draw the newest text again and again; a fault here only means that nothing is shown before the end."""
        clock = self.replies.outbox.clock
        while True:
            await self._news.wait()
            self._news.clear()
            began = clock.monotonic()
            async with self._drawing:
                await quietly(self._draw(split(as_written(self._wanted))))
            self._pace.took(clock.monotonic() - began)
            await clock.sleep(self._pace.seconds)

    async def _draw(self, texts: Sequence[str]) -> None:
        view = stop_view(self.replies.author_id, self.replies.outbox.messages, self.replies.locale)
        for number, text in enumerate(texts):
            await self._pages.put(number, text, view if number == len(texts) - 1 else None, attempts=1)

    async def _stop_painting(self) -> None:
        """End the painter, but not in the middle of a request, whose outcome would stay unknown."""
        if self._painter is None:
            return
        async with self._drawing:
            self._painter.cancel()
        await asyncio.gather(self._painter, return_exceptions=True)

    async def _keep_typing(self) -> None:
        replies = self.replies
        while True:
            await quietly(replies.outbox.courier.call(replies.channel_id, self._type, attempts=1))
            await replies.outbox.clock.sleep(_TYPING_SECONDS)

    async def _type(self) -> None:
        await self.replies.channel.typing()
