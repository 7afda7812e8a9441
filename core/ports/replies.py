"""Where replies go."""

from contextlib import AbstractAsyncContextManager
from typing import Protocol

from core.turn.reply import Reply


class ReplySink(Protocol):
    """One reply on its way out, made by the transport for one turn.

    The nonce of whatever it sends is derived from the turn's id, so that a retry is the same message.
    """

    def typing(self) -> AbstractAsyncContextManager[None]:
        """Show that the character is writing while the context is open. Failing to show it is no error."""

    async def show(self, text: str) -> None:
        """Show the beginning of a reply (all of it so far); may skip some when they come too fast."""

    async def finish(self, reply: Reply) -> tuple[int, ...]:
        """Send or complete the reply; return the ids of the messages it became, in order. Raises `DeliveryError`."""

    async def withdraw(self) -> None:
        """Remove what `show` showed; nothing if nothing was shown. Never raises."""


class ReplyChannel(Protocol):
    """Where replies to one inbound message go; handed in with the message by the transport."""

    def open(self, turn_id: str) -> ReplySink:
        """Return the sink for one turn. `turn_id` is 20 characters of [0-9a-z]."""
