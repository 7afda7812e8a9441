"""After a start or a lost session: finds what was said to the character meanwhile, and is recent enough to answer."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

import aiohttp
import discord
import structlog

from bot.discord.answered import Answered
from bot.discord.history import DiscordHistory
from bot.discord.inbound import Inbound
from bot.discord.places import Place, may_read_history, may_write
from bot.discord.reception import Reception
from core.clock import Clock
from core.errors import DeliveryError, StorageError
from core.ports import TraceStore
from core.sharding.shards import EVERYTHING, Shards
from core.turn.companion import Companion

# Direct-message channels are not told at the start; those that were in use lately are known from the traces.
_KNOWN_FOR = timedelta(days=30)
_MOST_CONVERSATIONS = 50
_MOST_CHANNELS = 50
_MESSAGES = 100

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class CatchUp:
    """Looks through conversations, within bounds."""

    client: discord.Client
    companion: Companion
    reception: Reception
    inbound: Inbound
    history: DiscordHistory
    traces: TraceStore
    window: timedelta
    clock: Clock
    shards: Shards = EVERYTHING

    async def run(self) -> int:
        """Have missed messages that speak to the character answered; return how many.

        Looked through are the character's recent conversations, and the channels and threads with the newest messages.
        """
        oldest = self.clock.now() - self.window
        answered = 0
        for channel_id in await self._places_to_look(oldest) if self.window else ():
            try:
                answered += await self._look(channel_id, oldest)
            except DeliveryError as error:
                _log.info("catch_up.unreadable", channel_id=channel_id, reason=str(error))
            except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
                # One odd place must not keep the people of all others waiting.
                _log.warning("catch_up.failed", channel_id=channel_id, error=type(error).__name__)
        _log.info("catch_up.done", character=self.companion.character.name, answered=answered)
        return answered

    async def _places_to_look(self, oldest: datetime) -> list[int]:
        busy = [(place.last_message_id or 0, place.id) for guild in self.client.guilds for place in _texts_of(guild)]
        recent = [channel_id for last, channel_id in sorted(busy, reverse=True) if _time(last) >= oldest]
        return list(dict.fromkeys([*await self._conversations(), *recent[:_MOST_CHANNELS]]))

    async def _conversations(self) -> list[int]:
        name = self.companion.character.name
        try:
            found = await self.traces.recent_conversations(
                name, since=self.clock.now() - _KNOWN_FOR, limit=_MOST_CONVERSATIONS, shards=self.shards
            )
        except StorageError as error:
            _log.error("catch_up.conversations_unknown", reason=str(error))
            return []
        return [conversation.channel_id for conversation in found]

    async def _look(self, channel_id: int, oldest: datetime) -> int:
        newest = await self.history.messages(channel_id, limit=_MESSAGES)
        answered = Answered(messages=newest, reading=self.inbound.reading)
        missed = []
        for message in newest:
            if message.created_at < oldest or not self.reception.is_new(message):
                continue
            if answered.is_answered(message) or not self.inbound.speaks_to_character(message):
                continue
            self.reception.mark_seen(message.id)
            inbound = await self.inbound.message(message)
            existing = tuple(_partial(part) for part in answered.interrupted(message))
            missed.append((inbound, self.reception.replies(message, inbound, existing=existing)))
        return await self.companion.catch_up(missed)


def _texts_of(guild: discord.Guild) -> Iterable[discord.TextChannel | discord.VoiceChannel | discord.Thread]:
    places: list[discord.TextChannel | discord.VoiceChannel | discord.Thread] = [
        *guild.text_channels,
        *guild.voice_channels,
        *guild.threads,
    ]
    return (place for place in places if may_read_history(place) and may_write(place))


def _partial(message: discord.Message) -> discord.PartialMessage:
    channel: Place = message.channel
    if isinstance(channel, discord.GroupChannel):
        raise DeliveryError("a group conversation is no place for a bot")
    return channel.get_partial_message(message.id)


def _time(snowflake: int) -> datetime:
    return discord.utils.snowflake_time(snowflake)
