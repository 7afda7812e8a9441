"""After a start or a lost session: finds what was said to the character meanwhile, and is recent enough to answer."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

import aiohttp
import discord
import structlog

from bot.discord.absence import Absence
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
_PAUSES = (2.0, 5.0, 15.0)

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class CatchUp:
    """Looks through conversations, within bounds; what is stored of them follows what people deleted and edited."""

    client: discord.Client
    companion: Companion
    reception: Reception
    inbound: Inbound
    history: DiscordHistory
    absence: Absence
    traces: TraceStore
    window: timedelta
    clock: Clock
    shards: Shards = EVERYTHING

    async def run(self) -> int:
        """Have missed messages that speak to the character answered; return how many.

        Looked through are the character's recent conversations, and the channels and threads with the newest messages.
        Without a window none is answered.

        What can't be looked through at first (the database may be starting, too) is tried again some seconds later.
        """
        oldest, looked, answered = self.clock.now() - self.window, set[int](), 0
        for pause in (*_PAUSES, None):
            places, complete = await self._places_to_look(oldest)
            for channel_id in places:
                if channel_id not in looked:
                    found = await self._try(channel_id, oldest)
                    complete &= found is not None
                    answered += found or 0
                    looked |= {channel_id} if found is not None else set()
            if complete or pause is None:
                break
            await self.clock.sleep(pause)
        _log.info("catch_up.done", character=self.companion.character.name, answered=answered)
        return answered

    async def _try(self, channel_id: int, oldest: datetime) -> int | None:
        """Look through a conversation; None where that failed, and may not the next time."""
        try:
            return await self._look(channel_id, oldest)
        except DeliveryError as error:
            _log.info("catch_up.unreadable", channel_id=channel_id, reason=str(error))
            return 0
        except (discord.DiscordException, aiohttp.ClientError, OSError, StorageError) as error:
            # One odd place must not keep the people of all others waiting.
            _log.warning("catch_up.failed", channel_id=channel_id, error=type(error).__name__)
            return None

    async def _places_to_look(self, oldest: datetime) -> tuple[list[int], bool]:
        """Return the channels, and whether those only the database knows are among them."""
        busy = [(place.last_message_id or 0, place.id) for guild in self.client.guilds for place in _texts_of(guild)]
        recent = [channel_id for last, channel_id in sorted(busy, reverse=True) if _time(last) >= oldest]
        known = await self._conversations()
        return list(dict.fromkeys([*(known or ()), *recent[:_MOST_CHANNELS]])), known is not None

    async def _conversations(self) -> list[int] | None:
        name = self.companion.character.name
        try:
            found = await self.traces.recent_conversations(
                name, since=self.clock.now() - _KNOWN_FOR, limit=_MOST_CONVERSATIONS, shards=self.shards
            )
        except StorageError as error:
            _log.error("catch_up.conversations_unknown", reason=str(error))
            return None
        return [conversation.channel_id for conversation in found]

    async def _look(self, channel_id: int, oldest: datetime) -> int:
        newest = await self.history.messages(channel_id, limit=_MESSAGES)
        await self.absence.follow(channel_id, newest, whole=len(newest) < _MESSAGES)
        if not self.window:
            return 0
        answered, count = Answered(messages=newest, reading=self.inbound.reading), 0
        for message in newest:
            if message.created_at < oldest or not self.reception.is_new(message):
                continue
            if answered.is_answered(message) or not self.inbound.speaks_to_character(message):
                continue
            existing = tuple(_partial(part) for part in answered.interrupted(message))
            count += await self._take(message, existing)
        return count

    async def _take(self, message: discord.Message, existing: tuple[discord.PartialMessage, ...]) -> int:
        """Hand a message over; one for which that failed counts as new again."""
        self.reception.mark_seen(message.id)
        try:
            inbound = await self.inbound.message(message)
            return await self.companion.catch_up(
                [(inbound, self.reception.replies(message, inbound, existing=existing))]
            )
        except Exception:
            self.reception.unmark(message.id)
            raise


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
