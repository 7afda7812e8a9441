"""The front door: what transports call. One companion per character."""

import asyncio
import random
from collections import OrderedDict
from collections.abc import Sequence
from datetime import datetime, timedelta

import structlog

from core.clock import Clock
from core.errors import StorageError
from core.memory.offer import KeepOffer
from core.memory.offers import KeepOffers
from core.ports import (
    CharacterStateStore,
    GuildStore,
    MessageArchive,
    ReplyChannel,
    SubscriptionStore,
    TraceStore,
    UserStore,
)
from core.stance.policy import Caution, StancePolicy
from core.turn.acquaintance import Acquaintance
from core.turn.background import Summarising
from core.turn.first_words import FirstWords
from core.turn.history import Histories, said_between
from core.turn.mailbox import Burst, Mailbox
from core.turn.pickup import Pickup, PickupDecision, PickupFacts, decide
from core.turn.pipeline import Pipeline
from core.turn.policy import TurnPolicy
from core.turn.quota import Limit, UserPace
from core.turn.refusals import Refusals
from core.values import Address, Character, ConversationKey, InboundMessage, Surface, Utterance
from prompts.messages import Messages

_log = structlog.get_logger(__name__)


class Companion:
    """One character, ready to be spoken to, on whatever surface."""

    def __init__(
        self,
        *,
        character: Character,
        pipeline: Pipeline,
        histories: Histories,
        first_words: FirstWords,
        subscriptions: SubscriptionStore,
        users: UserStore,
        offers: KeepOffers,
        summarising: Summarising,
        guilds: GuildStore,
        characters: CharacterStateStore,
        archive: MessageArchive,
        traces: TraceStore,
        stance: StancePolicy,
        messages: Messages,
        policy: TurnPolicy,
        clock: Clock,
        rng: random.Random,
    ) -> None:
        self.character = character
        self.first_words = first_words
        self._pipeline = pipeline
        self._histories = histories
        self._subscriptions = subscriptions
        self._users = users
        self._offers = offers
        self._summarising = summarising
        self._guilds = guilds
        self._characters = characters
        self._archive = archive
        self._traces = traces
        self._stance = stance
        self._policy = policy
        self._clock = clock
        self._rng = rng
        self._pace = UserPace(per_minute=policy.messages_per_minute)
        self._refusals = Refusals(
            character=character,
            histories=histories,
            users=users,
            guilds=guilds,
            traces=traces,
            stance=stance,
            messages=messages,
            pace=self._pace,
            policy=policy,
            clock=clock,
        )
        self._mailboxes: dict[ConversationKey, Mailbox] = {}
        self._most_mailboxes = policy.conversations_in_memory
        self._known: OrderedDict[ConversationKey, Acquaintance] = OrderedDict()
        self._closed = False

    @property
    def ignored_places(self) -> tuple[str, ...]:
        """What of the operator's file of places is left out: a line each, with file, line and reason."""
        return self._stance.ignored_places

    @property
    def backlog(self) -> int:
        """In how many conversations something waits or is being answered."""
        return sum(not mailbox.is_idle for mailbox in self._mailboxes.values())

    @property
    def caution(self) -> Caution:
        """What judges whether something may be kept beyond a turn."""
        return self._stance.caution

    async def receive(self, message: InboundMessage, replies: ReplyChannel) -> None:
        """Take a message in and return soon; the answer, if there is one, goes to `replies` later."""
        if self._closed:
            return
        try:
            decision = await self._decide(message)
            await self.first_words.heard(message, decision)
        except StorageError as error:
            _log.error("receive.failed", message_id=message.id, reason=str(error))
            if message.address is not Address.NONE:
                await self._refusals.tell(message, replies, error.hint)
            return
        await self._act(message, replies, decision)

    async def catch_up(self, missed: Sequence[tuple[InboundMessage, ReplyChannel]]) -> int:
        """Take in messages found after a restart; answer those that are recent and were not; return how many."""
        oldest = self._clock.now() - timedelta(seconds=self._policy.catch_up_window)
        answered = 0
        for message, replies in sorted(missed, key=lambda pair: pair[0].id):
            key = self._key(message.surface)
            if message.sent_at < oldest or message.id in await self._traces.answered_since(key, oldest):
                continue
            await self.receive(message, replies)
            answered += 1
        return answered

    async def stored(self, channel_id: int, *, limit: int) -> list[Utterance]:
        """Return the newest messages of a conversation as they are archived, oldest first."""
        return await self._archive.recent(ConversationKey(self.character.name, channel_id), limit=limit)

    async def edited(self, message_id: int, surface: Surface, text: str, edited_at: datetime) -> None:
        """A message was edited: history, archive and what was told in it follow, and a turn that will store it later.

        A text that may not be stored takes the stored one away.
        """
        key = self._key(surface)
        if (mailbox := self._mailboxes.get(key)) is not None:
            mailbox.revise(message_id, text)
        if (history := self._histories.known(key)) is not None:
            history.edit(message_id, text)
        await self._offers.follow_edit(message_id, text)
        kept = None if await self._stance.is_sensitive(text) else text
        await self._archive.edit(message_id, kept, edited_at)

    async def deleted(self, message_ids: Sequence[int], surface: Surface) -> None:
        """Messages were deleted: gone from history and archive; a turn that answers one is dropped."""
        key = self._key(surface)
        if (mailbox := self._mailboxes.get(key)) is not None:
            mailbox.withdraw_messages(set(message_ids))
        if (history := self._histories.known(key)) is not None:
            history.delete(set(message_ids))
        await self._archive.delete(message_ids)

    async def channel_deleted(self, channel_id: int) -> None:
        """A channel or thread is gone, with everything stored of it."""
        self._histories.forget_channel(channel_id)
        await self._subscriptions.delete_channel(channel_id)
        await self._archive.delete_channel(channel_id)

    async def guild_removed(self, guild_id: int, *, shared: bool) -> None:
        """The character was removed from a server: what it had of it goes.

        What the server's operators chose goes too, unless another character is still there (`shared`).
        """
        self._histories.forget_guild(guild_id)
        await self._subscriptions.delete_guild(guild_id, character=self.character.name)
        await self._archive.delete_guild(guild_id, character=self.character.name)
        if not shared:
            await self._guilds.delete(guild_id)

    async def drop_drafts(self, user_id: int) -> None:
        """Drop what is being written to or of a user anywhere; when this returns, nothing more is stored of it."""
        await asyncio.gather(*(mailbox.drop(user_id) for mailbox in self._mailboxes.values()))
        await self._summarising.drop(user_id)

    async def forget_user(self, user_id: int) -> None:
        """Let go of everything a user wrote that is still in memory; to be awaited before their rows are deleted."""
        await self.drop_drafts(user_id)
        self._histories.forget_author(user_id)
        self.first_words.forget(user_id)

    async def offer_of(self, message: InboundMessage) -> KeepOffer | None:
        """Return what a message, as it is by now, asks to have kept; None if nothing, or nothing that may be."""
        history = self._histories.known(self._key(message.surface))
        window = (
            () if history is None else history.window(before=message.id, without=(), tokens=self._policy.history_tokens)
        )
        return await self._offers.of([message], said_between(message.author.id, window))

    async def regenerate(self, message: InboundMessage, replies: ReplyChannel, *, replaced: Sequence[int]) -> bool:
        """Answer `message` again in place of the messages `replaced`; wait for it. False if it may not be answered."""
        decision = await self._decide(message)
        now = self._clock.monotonic()
        if self._closed or decision.pickup in {Pickup.REFUSED, Pickup.IGNORED}:
            return False
        if not self._pace.admit(message.author.id, now):
            return False
        burst = Burst(
            messages=[message],
            replies=replies,
            decision=PickupDecision(Pickup.DIRECT, "regenerate"),
            attempt=self._rng.randrange(1, 2**31),
            replaces=tuple(replaced),
        )
        self._mailbox(message.surface).put_at_once(burst)
        await burst.done.wait()
        return True

    async def stop(self, channel_id: int, user_id: int) -> bool:
        """Stop writing to that user there; False if nothing was being written."""
        mailbox = self._mailboxes.get(ConversationKey(self.character.name, channel_id))
        return mailbox is not None and mailbox.stop(user_id)

    async def idle(self) -> None:
        """Wait until no turn is under way (piped terminal input, tests, orderly shutdown)."""
        while busy := [mailbox for mailbox in self._mailboxes.values() if not mailbox.is_idle]:
            await asyncio.gather(*(mailbox.idle() for mailbox in busy))

    async def at_rest(self) -> None:
        """Wait until no turn is under way and nothing is done in the background for one that is over."""
        await self.idle()
        await self._summarising.idle()

    async def close(self) -> None:
        """Drop what is being written, wait for what is on its way out, and take nothing more."""
        self._closed = True
        await asyncio.gather(*(mailbox.close() for mailbox in self._mailboxes.values()))
        await self._summarising.drop()

    async def _decide(self, message: InboundMessage) -> PickupDecision:
        """Gather the facts about a message and decide what becomes of it."""
        known = self._acquaintance(self._key(message.surface))
        now = self._clock.monotonic()
        guild_id = message.surface.guild_id
        guild = await self._guilds.get(guild_id) if guild_id is not None else None
        if not message.author.is_bot:
            known.human_spoke()
        per_hour = guild.ambient.get(message.surface.channel_id, 0) if guild is not None else 0
        return decide(
            PickupFacts(
                address=message.address,
                is_bot=message.author.is_bot,
                bots_answered=guild is not None and guild.answers_bots,
                bot_exchanges=known.bot_exchanges,
                bot_exchange_limit=self._policy.bot_exchanges,
                opted_out=(await self._users.get(message.author.id)).opted_out,
                frozen=await self._characters.is_frozen(self.character.name),
                content_hidden=message.content_hidden,
                to_others=message.to_others,
                in_characters_thread=message.in_characters_thread,
                just_talked=known.just_talked(message.author.id, within=self._policy.continuation_window, now=now),
                ambient_due=known.ambient_left(per_hour, now=now) > 0
                and self._rng.random() < self._policy.ambient_chance,
            )
        )

    async def _act(self, message: InboundMessage, replies: ReplyChannel, decision: PickupDecision) -> None:
        """Carry a decision out."""
        if decision.pickup is Pickup.IGNORED:
            return
        if decision.pickup is Pickup.REFUSED:
            await self._refusals.refuse(message, replies, f"refusal.{decision.rule}", decision.rule)
            return
        if not message.content_hidden:
            self._histories.of(self._key(message.surface), message.surface).add(message.as_utterance())
        if not decision.pickup.is_answered:
            return
        now = self._clock.monotonic()
        if not self._pace.admit(message.author.id, now):
            if decision.pickup is not Pickup.AMBIENT:
                await self._refusals.refuse(message, replies, Limit.RATE, "rate_limited")
            return
        if decision.pickup is Pickup.AMBIENT:
            self._acquaintance(self._key(message.surface)).spoke_unasked(now)
        self._mailbox(message.surface).put(Burst(messages=[message], replies=replies, decision=decision))

    async def _answer(self, burst: Burst) -> None:
        """Run one turn and note how the conversation went on."""
        newest = burst.messages[-1]
        known = self._acquaintance(self._key(newest.surface))
        turn = await self._pipeline.run(burst)
        if turn is not None:
            known.answered(newest.author.id, is_bot=newest.author.is_bot, now=self._clock.monotonic())

    def _key(self, surface: Surface) -> ConversationKey:
        return ConversationKey(self.character.name, surface.channel_id)

    def _mailbox(self, surface: Surface) -> Mailbox:
        """Return the conversation's mailbox; those of conversations at rest are let go when there are many."""
        key = self._key(surface)
        if len(self._mailboxes) > self._most_mailboxes:
            self._mailboxes = {k: box for k, box in self._mailboxes.items() if not box.is_idle}
            self._most_mailboxes = max(self._policy.conversations_in_memory, 2 * len(self._mailboxes))
        if key not in self._mailboxes:
            self._mailboxes[key] = Mailbox(
                answer=self._answer,
                clock=self._clock,
                debounce=self._policy.debounce,
                longest_debounce=self._policy.longest_debounce,
            )
        return self._mailboxes[key]

    def _acquaintance(self, key: ConversationKey) -> Acquaintance:
        known = self._known.setdefault(key, Acquaintance())
        self._known.move_to_end(key)
        while len(self._known) > self._policy.conversations_in_memory:
            self._known.popitem(last=False)
        return known
