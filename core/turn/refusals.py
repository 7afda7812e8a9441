"""Who is not answered: a polite reason, or, for somebody in acute danger, where to turn to. No model is asked."""

import random
from dataclasses import dataclass

import structlog

from core.clock import Clock
from core.errors import DeliveryError, StorageError
from core.ports import GuildStore, ReplyChannel, TraceStore, UserStore
from core.stance.policy import StancePolicy, StanceReading
from core.turn.enrichment import signal_step
from core.turn.history import Histories, said_between
from core.turn.identity import turn_id
from core.turn.language import language_wishes
from core.turn.policy import TurnPolicy
from core.turn.quota import UserPace
from core.turn.reply import Reply, ReplyKind
from core.turn.trace import LIFELINE, TraceRecord, TraceStep, TurnOutcome
from core.values import Character, ConversationKey, InboundMessage, Locale, UserProfile
from prompts.messages import Messages

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusals:
    """Tells people why there is no answer."""

    character: Character
    histories: Histories
    users: UserStore
    guilds: GuildStore
    traces: TraceStore
    stance: StancePolicy
    messages: Messages
    pace: UserPace
    policy: TurnPolicy
    clock: Clock

    async def refuse(self, message: InboundMessage, replies: ReplyChannel, key: str, rule: str) -> None:
        """Say politely why there is no answer (not oftener than once a minute), and leave a trace of it.

        Somebody in acute danger is told instead where to turn to. One who opted out is not read at all.
        """
        user_id, now = message.author.id, self.clock.monotonic()
        if rule == "opted_out":
            if self.pace.should_tell(user_id, now):
                await self.tell(message, replies, key)
            return  # Of somebody who opted out nothing is kept, not even that they were told so.
        reading = await self._read(message)
        read = () if reading is None else (signal_step(reading),)
        steps = (TraceStep("pickup", "refused", (rule,)), *read)
        if (text := await self._lifeline(message, reading)) is not None:
            if self.pace.should_tell(user_id, now, what="lifeline"):
                ids = await self._say(message, replies, text)
                await self._trace(message, ids, TurnOutcome.FALLBACK, (*steps, LIFELINE))
        elif self.pace.should_tell(user_id, now):
            ids = await self.tell(message, replies, key)
            await self._trace(message, ids, TurnOutcome.REFUSED, steps)

    async def _read(self, message: InboundMessage) -> StanceReading | None:
        """Read what a message is, where a written reply to it may be due; no model is asked."""
        if not self.stance.has_gate:
            return None
        history = self.histories.known(self._key(message))
        window = (
            () if history is None else history.window(before=message.id, without=(), tokens=self.policy.history_tokens)
        )
        return await self.stance.read(message.text, said_between(message.author.id, window))

    async def _lifeline(self, message: InboundMessage, reading: StanceReading | None) -> str | None:
        locale, zone = await self._language(message), await self._home(message)
        return self.stance.lifeline(reading, locale=locale, zone=zone, rng=random.Random(message.id))

    async def _trace(
        self, message: InboundMessage, reply_ids: tuple[int, ...], outcome: TurnOutcome, steps: tuple[TraceStep, ...]
    ) -> None:
        record = TraceRecord(
            turn_id=turn_id(self.character.name, message.id),
            at=self.clock.now(),
            conversation=self._key(message),
            guild_id=message.surface.guild_id,
            user_id=message.author.id,
            message_ids=(message.id,),
            reply_ids=reply_ids,
            outcome=outcome,
            model=None,
            steps=steps,
        )
        try:
            await self.traces.add(record)
        except StorageError as error:
            _log.error("refusal.not_traced", message_id=message.id, reason=str(error))

    async def tell(self, message: InboundMessage, replies: ReplyChannel, key: str) -> tuple[int, ...]:
        """Say a text to somebody in their language; return the ids it got."""
        return await self._say(message, replies, self.messages.text(key, await self._language(message)))

    async def _say(self, message: InboundMessage, replies: ReplyChannel, text: str) -> tuple[int, ...]:
        notice = Reply(text=text, kind=ReplyKind.NOTICE)
        try:
            return await replies.open(turn_id(self.character.name, message.id)).finish(notice)
        except DeliveryError as error:
            _log.warning("notice.undelivered", message_id=message.id, reason=str(error))
            return ()

    async def _home(self, message: InboundMessage) -> str | None:
        """Return the zone that tells where the readers live, if known: the user's in private, else the server's."""
        guild_id = message.surface.guild_id
        try:
            if message.surface.is_private:
                return (await self.users.get(message.author.id)).timezone
            return (await self.guilds.get(guild_id)).timezone if guild_id is not None else None
        except StorageError:
            return None

    async def _language(self, message: InboundMessage) -> Locale:
        """Return the language to tell somebody something in; by the message alone where the stores fail."""
        guild_id = message.surface.guild_id
        try:
            user = await self.users.get(message.author.id)
            guild = await self.guilds.get(guild_id) if guild_id is not None else None
        except StorageError:
            user, guild = UserProfile(id=message.author.id), None
        return next(iter(language_wishes([message], user, guild)), self.character.locale)

    def _key(self, message: InboundMessage) -> ConversationKey:
        return ConversationKey(self.character.name, message.surface.channel_id)
