"""Tells from a channel's messages alone what was answered, and what a crash interrupted."""

from collections.abc import Sequence
from dataclasses import dataclass

import discord

from bot.discord.reading import Reading
from bot.discord.views import is_unfinished


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """A look at a channel's newest messages, oldest first."""

    messages: Sequence[discord.Message]
    reading: Reading

    def is_answered(self, message: discord.Message) -> bool:
        """Return whether a finished reply answers a message, or a later one of its author, which took it along."""
        together = (one for one in self.messages if one.author.id == message.author.id and one.id >= message.id)
        replies = (self._reply(one) for one in together)
        return any(reply and not any(is_unfinished(part) for part in reply) for reply in replies)

    def interrupted(self, message: discord.Message) -> list[discord.Message]:
        """Return the messages of an unfinished reply, in order; [] if none was begun."""
        reply = self._reply(message)
        return reply if any(is_unfinished(part) for part in reply) else []

    def _reply(self, message: discord.Message) -> list[discord.Message]:
        """Return the reply to a message with its further parts.

        Only the first part refers to what it answers; the others follow it before anything else of the character's.
        """
        own = [one for one in self.messages if self.reading.is_own(one)]
        first = next((place for place, one in enumerate(own) if _refers_to(one) == message.id), None)
        if first is None:
            return []
        behind = own[first + 1 :]
        end = next((place for place, one in enumerate(behind) if _refers_to(one) is not None), len(behind))
        return own[first : first + 1 + end]


def _refers_to(message: discord.Message) -> int | None:
    return message.reference.message_id if message.reference is not None else None
