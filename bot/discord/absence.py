"""What people deleted and edited while nobody listened: Discord tells of that as it happens, and never again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import discord
import structlog

from bot.discord.inbound import Inbound, surface_of
from core.turn.companion import Companion
from core.values import Utterance

_STORED = 200
"""How many stored messages are compared; more than Discord is asked for, since some of those may be gone."""

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Absence:
    """Lets what is stored of a conversation follow Discord, as far back as its newest messages reach."""

    companion: Companion
    inbound: Inbound

    async def follow(self, channel_id: int, newest: Sequence[discord.Message], *, whole: bool) -> None:
        """Compare `newest`, without a gap and oldest first, with what is stored; `whole`: there are no older ones.

        Raises:
            StorageError: the archive can't be read or written.
        """
        if not newest:
            return
        found, surface = {message.id: message for message in newest}, surface_of(newest[0].channel)
        stored = await self.companion.stored(channel_id, limit=_STORED)
        first = 0 if whole else newest[0].id
        held = {one.id: one for one in stored if first <= one.id <= newest[-1].id}
        gone = sorted(held.keys() - found.keys())
        if gone:
            await self.companion.deleted(gone, surface)
            _log.info("absence.deleted", channel_id=channel_id, messages=len(gone))
        for message in self._edited(found, held):
            if message.edited_at is not None:
                text = self.inbound.reading.text(message)
                await self.companion.edited(message.id, surface, text, message.edited_at)

    def _edited(self, found: Mapping[int, discord.Message], held: Mapping[int, Utterance]) -> list[discord.Message]:
        """Return the messages of people that say something else by now; what Discord withholds says nothing."""
        reading = self.inbound.reading
        return [
            message
            for message in found.values()
            if message.edited_at is not None
            and message.id in held
            and not reading.is_own(message)
            and not self.inbound.is_hidden(message)
            and held[message.id].text not in {reading.text(message), reading.utterance(message).text}
        ]
