"""Messages as posts: who wrote them, what they answer, whom they mention. Discord's types stop here."""

from dataclasses import dataclass

import discord

from bot.discord.community.accounts import Accounts
from bot.discord.inbound import surface_of
from bot.discord.reading import Reading, speaker, without_small_print
from core.social.types import Action, Post

_OPEN = frozenset({Action.LIKE, Action.REPLY})


@dataclass(frozen=True, slots=True, kw_only=True)
class PostReading:
    """Turns messages into posts for one character."""

    reading: Reading
    accounts: Accounts

    def post(self, message: discord.Message) -> Post | None:
        """Return a message as a post; None for what nobody said: announcements, answers to commands."""
        if not self.reading.is_speech(message):
            return None
        character = self.accounts.character_of(message.author.id)
        text = self.reading.text(message)
        return Post(
            id=message.id,
            author=speaker(message),
            surface=surface_of(message.channel),
            text=text if character is None else without_small_print(text),
            sent_at=message.created_at,
            character=character,
            reply_to=parent_id(message),
            answers=self._answered(message),
            mentions=frozenset(filter(None, map(self.accounts.character_of, message.raw_mentions))),
            title=message.channel.name if is_opening(message) and isinstance(message.channel, discord.Thread) else None,
            open_to=_open_to(message),
        )

    def _answered(self, message: discord.Message) -> str | None:
        """Return the character whose message is answered, as far as that is known without asking Discord."""
        reference = message.reference
        if reference is None or message.type is not discord.MessageType.reply:
            thread = message.channel
            in_forum = is_in_forum(thread) and not is_opening(message)
            owner = thread.owner_id if in_forum and isinstance(thread, discord.Thread) else None
            return None if owner is None else self.accounts.character_of(owner)
        above = reference.resolved or reference.cached_message
        return self.accounts.character_of(above.author.id) if isinstance(above, discord.Message) else None


def parent_id(message: discord.Message) -> int | None:
    """Return the id of what a message answers: in a forum's thread what answers nothing else answers the first post."""
    if message.type is discord.MessageType.reply and message.reference is not None:
        return message.reference.message_id
    return message.channel.id if is_in_forum(message.channel) and not is_opening(message) else None


def is_opening(message: discord.Message) -> bool:
    """Return whether a message is the first post of a forum's thread, whose id it shares."""
    return is_in_forum(message.channel) and message.id == message.channel.id


def is_in_forum(channel: object) -> bool:
    """Return whether a channel is a thread of a forum."""
    return isinstance(channel, discord.Thread) and isinstance(channel.parent, discord.ForumChannel)


def _open_to(message: discord.Message) -> frozenset[Action]:
    thread = message.channel
    if not isinstance(thread, discord.Thread):
        return _OPEN
    if thread.archived:
        return frozenset()
    return frozenset({Action.LIKE}) if thread.locked else _OPEN
