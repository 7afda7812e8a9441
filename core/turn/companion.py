"""The front door: what transports call. One companion per character."""

from collections.abc import Sequence
from datetime import datetime

from core.ports import ReplyChannel
from core.values import Character, InboundMessage, Surface


class Companion:
    """One character, ready to be spoken to, on whatever surface."""

    character: Character

    async def receive(self, message: InboundMessage, replies: ReplyChannel) -> None:
        """Take a message in and return soon; the answer, if there is one, goes to `replies` later."""

    async def catch_up(self, missed: Sequence[tuple[InboundMessage, ReplyChannel]]) -> int:
        """Take in messages found after a restart; answer those that are recent and were not; return how many."""

    async def edited(self, message_id: int, surface: Surface, text: str, edited_at: datetime) -> None:
        """A message was edited: history and archive follow."""

    async def deleted(self, message_ids: Sequence[int], surface: Surface) -> None:
        """Messages were deleted: gone from history and archive; a turn that answers one is dropped."""

    async def channel_deleted(self, channel_id: int) -> None:
        """A channel or thread is gone, with everything stored of it."""

    async def guild_removed(self, guild_id: int) -> None:
        """The character was removed from a server: everything stored of it goes."""

    async def regenerate(self, message: InboundMessage, replies: ReplyChannel, *, replaced: Sequence[int]) -> None:
        """Answer `message` again; the sink replaces the messages `replaced`. Waits until it is done."""

    async def stop(self, channel_id: int, user_id: int) -> bool:
        """Stop writing to that user there; False if nothing was being written."""

    async def idle(self) -> None:
        """Wait until no turn is under way (piped terminal input, tests, orderly shutdown)."""

    async def close(self) -> None:
        """Finish or drop what is under way and take nothing more."""
