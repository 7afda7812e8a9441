"""Tells the operator of trouble in a channel of theirs, through whichever character can reach it."""

from collections.abc import Callable, Iterable

import aiohttp
import discord

from bot.operations.notices import Due
from core.values import Locale
from prompts.messages import Messages

_SILENT = discord.AllowedMentions.none()


class NobodyCouldTellError(Exception):
    """No character could write to the operator's channel."""


class OperatorChannel:
    """A channel, and the clients that may write to it."""

    def __init__(
        self,
        *,
        channel_id: int,
        locale: Locale,
        messages: Messages,
        clients: Callable[[], Iterable[discord.Client]],
    ) -> None:
        self._channel_id = channel_id
        self._locale = locale
        self._messages = messages
        self._clients = clients

    async def tell(self, due: Due) -> None:
        """Tell a notice. Writing needs no gateway, so that a character can tell that its own is lost.

        Raises:
            NobodyCouldTellError: Nobody can write there.
        """
        text = self.worded(due)
        for client in self._clients():
            try:
                await client.get_partial_messageable(self._channel_id).send(text, allowed_mentions=_SILENT)
            except (discord.DiscordException, aiohttp.ClientError, OSError, RuntimeError):
                continue
            return
        raise NobodyCouldTellError

    def worded(self, due: Due) -> str:
        """Return what is written."""
        text = self._messages.text
        lines = [text(due.notice.key, self._locale, **dict(due.notice.values))]
        if due.repeated:
            lines.append(text("operator.repeated", self._locale, count=due.repeated))
        if due.left_out:
            lines.append(text("operator.left_out", self._locale, count=due.left_out))
        return "\n".join(lines)
