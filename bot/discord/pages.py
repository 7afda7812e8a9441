"""The Discord messages that a reply consists of."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import discord

from bot.discord.courier import Courier, quietly
from bot.discord.splitting import LIMIT, split
from bot.discord.wording import as_written
from core.errors import DeliveryError
from core.turn.reply import Reply

_SILENT = discord.AllowedMentions.none()


def compose(reply: Reply) -> list[str]:
    """Return a reply as texts of messages, its footnote as small print below the last one.

    Raises:
        DeliveryError: there is no text to send.
    """
    texts = split(as_written(reply.text))
    if not texts:
        raise DeliveryError("the reply is empty")
    if not reply.footnote:
        return texts
    small = "\n".join(f"-# {line}" for line in reply.footnote.split("\n") if line.strip())
    joined = f"{texts[-1]}\n{small}"
    return [*texts[:-1], joined] if len(joined) <= LIMIT else [*texts, small]


@dataclass(slots=True)
class Page:
    """One message as far as it is known. `text` and `buttons` (as one string) are None where they are not."""

    message: discord.PartialMessage | discord.Message
    text: str | None = None
    buttons: str | None = None


@dataclass(slots=True, kw_only=True)
class Pages:
    """Messages in order. The first one is a reply to the message that is answered."""

    channel: discord.abc.Messageable
    channel_id: int
    reference: discord.MessageReference | None
    turn_id: str
    courier: Courier
    sent: list[Page] = field(default_factory=list)

    @property
    def ids(self) -> tuple[int, ...]:
        """The ids of the messages, in order."""
        return tuple(page.message.id for page in self.sent)

    def ids_before_last(self, texts: Sequence[str]) -> tuple[int, ...]:
        """Return the ids of the messages before the last one of a reply that has these texts."""
        return self.ids[: len(texts) - 1]

    async def put(self, number: int, text: str, view: discord.ui.View | None, *, attempts: int | None = None) -> None:
        """Make message `number` (at most one beyond the last) have this text and these buttons.

        Raises:
            DeliveryError: Discord does not take it.
        """
        if number == len(self.sent):
            self.sent.append(await self._send(number, text, view, attempts))
        page = self.sent[number]
        buttons = _fingerprint(view)
        if (page.text, page.buttons) == (text, buttons):
            return
        message = page.message
        await self.courier.call(
            self.channel_id,
            lambda: message.edit(content=text, view=view, allowed_mentions=_SILENT),
            attempts=attempts,
        )
        page.text, page.buttons = text, buttons

    async def cut_to(self, count: int) -> None:
        """Delete the messages beyond `count`."""
        while len(self.sent) > count:
            message = self.sent.pop().message
            await quietly(self.courier.call(self.channel_id, message.delete))

    async def clear(self) -> None:
        """Delete all of them, as far as that can be done."""
        await self.cut_to(0)

    async def _send(self, number: int, text: str, view: discord.ui.View | None, attempts: int | None) -> Page:
        message = await self.courier.call(self.channel_id, lambda: self._post(number, text, view), attempts=attempts)
        # With a nonce seen before, Discord returns the message of that time, which may say less.
        return Page(
            message=message, text=message.content, buttons=_fingerprint(view) if message.content == text else None
        )

    async def _post(self, number: int, text: str, view: discord.ui.View | None) -> discord.Message:
        options: dict[str, Any] = {
            "nonce": f"{self.turn_id}{number:02d}",
            "allowed_mentions": _SILENT,
            "suppress_embeds": True,
        }
        if number == 0 and self.reference is not None:
            options["reference"] = self.reference
        if view is not None:
            options["view"] = view
        return await self.channel.send(text, **options)


def _fingerprint(view: discord.ui.View | None) -> str:
    return "" if view is None else repr(view.to_components())
