"""What a conversation has to do with speaking first: it keeps what was said, tells that it was answered, and stops it.

Consent and occasions are told of by their store; nothing here decides whether anything is said.
"""

from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import structlog

from core.clock import Clock
from core.errors import StorageError
from core.ports import ArchiveEntry, Delivered, MessageArchive, SubscriptionStore, TraceStore
from core.proactive.types import Recipient, RecipientKind
from core.stance.policy import StanceReading
from core.turn.history import Histories
from core.turn.identity import turn_id
from core.turn.pickup import PickupDecision
from core.turn.policy import TurnPolicy
from core.turn.trace import TraceRecord, TurnOutcome
from core.turn.types import Turn
from core.values import Address, Character, ConversationKey, InboundMessage, Locale, Speaker, Utterance

_MOST_RESERVED = 10_000

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstWords:
    """`FirstWordsKeeper`, and the other way round: what people do, as far as it bears on speaking first."""

    character: Character
    subscriptions: SubscriptionStore
    histories: Histories
    archive: MessageArchive
    traces: TraceStore
    policy: TurnPolicy
    clock: Clock
    _reserved: OrderedDict[int, datetime] = field(default_factory=OrderedDict)
    """Until when it is held back for whom, in memory alone: that somebody was in danger is no reason for a record."""

    async def said_first(self, recipient: Recipient, delivered: Delivered, text: str, *, locale: Locale) -> None:
        """Take a message that is out into history, archive and traces, so that an answer to it has its context.

        The trace is also how a private conversation that nobody has answered in yet is known after a restart.
        """
        key = ConversationKey(self.character.name, delivered.surface.channel_id)
        author = Speaker(id=0, name=self.character.display_name[locale], is_bot=True)
        at = self.clock.now()
        said = Utterance(id=delivered.message_id, author=author, text=text, sent_at=at, is_self=True)
        self.histories.of(key, delivered.surface).add(said)
        person = recipient.id if recipient.kind is RecipientKind.USER else None
        try:
            if self.policy.archive:
                await self.archive.add([_entry(key, delivered, said, owner=person)])
            await self.traces.add(_trace(key, delivered, said, user_id=person or 0))
        except StorageError as error:
            _log.error("first_words.not_kept", message_id=delivered.message_id, reason=str(error))

    async def heard(self, message: InboundMessage, decision: PickupDecision) -> None:
        """Note that somebody spoke: whoever speaks to the character answers it, and so does anybody in a channel.

        Raises:
            StorageError: it could not be noted.
        """
        if message.author.is_bot or decision.rule == "opted_out":
            return
        to_character = message.address is not Address.NONE or decision.pickup.is_answered
        await self.subscriptions.spoke(
            self.character.name,
            user_id=message.author.id if to_character else None,
            channel_id=message.surface.channel_id,
            now=self.clock.now(),
        )

    async def hold_back(self, turn: Turn, reading: StanceReading | None) -> None:
        """Say nothing first to somebody for a while who is in danger, or leans on the character too much."""
        if reading is None or not reading.calls_for_reserve:
            return
        until = self.clock.now() + timedelta(seconds=self.policy.reserve)
        self._reserved[turn.newest.author.id] = until
        self._reserved.move_to_end(turn.newest.author.id)
        while len(self._reserved) > _MOST_RESERVED:
            self._reserved.popitem(last=False)
        try:
            met = await self.subscriptions.suspend(turn.newest.author.id, until=until)
        except StorageError as error:
            _log.error("first_words.not_suspended", turn_id=turn.id, reason=str(error))
            return
        if met:
            _log.info("first_words.suspended", turn_id=turn.id, subscriptions=met)

    async def switched_on(self, user_id: int) -> None:
        """Hold back from somebody who switches it on only after the talk that calls for that.

        Raises:
            StorageError: it could not be noted.
        """
        until = self._reserved.get(user_id)
        if until is not None and until > self.clock.now():
            await self.subscriptions.suspend(user_id, until=until)

    def forget(self, user_id: int) -> None:
        """Let go of what is remembered of somebody."""
        self._reserved.pop(user_id, None)


def _entry(key: ConversationKey, delivered: Delivered, said: Utterance, *, owner: int | None) -> ArchiveEntry:
    return ArchiveEntry(
        conversation=key,
        surface=delivered.surface,
        message_id=said.id,
        author_id=said.author.id,
        author_name=said.author.name,
        is_self=True,
        text=said.text,
        sent_at=said.sent_at,
        owner_id=owner,
    )


def _trace(key: ConversationKey, delivered: Delivered, said: Utterance, *, user_id: int) -> TraceRecord:
    return TraceRecord(
        turn_id=turn_id(key.character, said.id),
        at=said.sent_at,
        conversation=key,
        guild_id=delivered.surface.guild_id,
        user_id=user_id,
        message_ids=(),
        reply_ids=(said.id,),
        outcome=TurnOutcome.SPOKE_FIRST,
        model=None,
        steps=(),
    )
