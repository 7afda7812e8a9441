"""Consents, decided slots and drafts kept in memory. They pass the same contract suite as the ones on SQLite."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import count

from core.errors import StorageError
from core.ports.leases import Held
from core.proactive.slots import FARTHEST
from core.proactive.types import (
    Claim,
    Past,
    Reason,
    Recipient,
    RecipientKind,
    SlotRecord,
    SlotState,
    Subscription,
    may_be_out,
)
from core.sharding.shards import EVERYTHING, Shards
from core.values import Locale, UserProfile

_OPEN = {SlotState.CLAIMED, SlotState.SENDING}


@dataclass
class ProactiveState:
    """What is stored of speaking first, and the little it shares with others."""

    users: dict[int, UserProfile] = field(default_factory=dict)
    frozen: set[str] = field(default_factory=set)
    subscriptions: dict[Recipient, Subscription] = field(default_factory=dict)
    slots: dict[tuple[Recipient, str], SlotRecord] = field(default_factory=dict)
    slot_guilds: dict[tuple[Recipient, str], int] = field(default_factory=dict)
    pauses: dict[str, datetime] = field(default_factory=dict)
    drafts: dict[int, tuple[str, Locale, str, bool]] = field(default_factory=dict)
    leases: dict[tuple[str, Shards], str] = field(default_factory=dict)

    def is_fenced(self, who: Recipient, worker: str | None) -> bool:
        """Whether a worker has no lease on a recipient's shard, while there are leases under that name."""
        named = {shards: token for (name, shards), token in self.leases.items() if name == who.character}
        wanted = self.subscriptions.get(who)
        guild_id = None if wanted is None else wanted.guild_id
        covered = any(token == worker and shards.has(guild_id) for shards, token in named.items())
        return worker is not None and bool(named) and not covered

    def about(self, user_id: int) -> list[Recipient]:
        """The subscriptions of a user."""
        return [who for who in self.subscriptions if who.kind is RecipientKind.USER and who.id == user_id]

    def take_back_consents(self, user_id: int) -> None:
        """Delete the subscriptions of a user."""
        for who in self.about(user_id):
            del self.subscriptions[who]

    def move(self, theirs: Callable[[Subscription], bool], timezone: str | None) -> None:
        """Let some recipients go by another clock."""
        for who, known in list(self.subscriptions.items()):
            if theirs(known) and known.wishes.timezone != timezone:
                due_at = datetime.fromtimestamp(0, UTC) if known.enabled and timezone is not None else None
                wishes = replace(known.wishes, timezone=timezone)
                moved = replace(known, wishes=wishes, due_at=due_at, revision=known.revision + 1)
                self.subscriptions[who] = moved

    def chosen_by(self, user_id: int) -> list[Recipient]:
        """The channels a user chose."""
        return [who for who, subscription in self.subscriptions.items() if subscription.chosen_by == user_id]

    def slots_about(self, user_id: int) -> list[SlotRecord]:
        """The decided slots of a user."""
        return [slot for (who, _), slot in self.slots.items() if who.kind is RecipientKind.USER and who.id == user_id]

    def forget_recipient(self, kind: RecipientKind, recipient_id: int) -> None:
        """Delete everything about a recipient."""
        for who in [who for who in self.subscriptions if (who.kind, who.id) == (kind, recipient_id)]:
            del self.subscriptions[who]
        for key in [key for key in self.slots if (key[0].kind, key[0].id) == (kind, recipient_id)]:
            del self.slots[key]

    def forget_chooser(self, user_id: int) -> None:
        """Let go of who chose channels."""
        for who in self.chosen_by(user_id):
            self.subscriptions[who] = replace(self.subscriptions[who], chosen_by=None)


class InMemorySubscriptions:
    """`SubscriptionStore`."""

    def __init__(self, state: ProactiveState | None = None) -> None:
        self.state = state or ProactiveState()

    async def get(self, recipient: Recipient) -> Subscription | None:
        return self.state.subscriptions.get(recipient)

    async def put(self, subscription: Subscription) -> Subscription:
        known = self.state.subscriptions.get(subscription.recipient)
        stored = replace(subscription, revision=1)
        if known is not None:
            stored = replace(
                subscription,
                revision=known.revision + 1,
                suspended_until=known.suspended_until,
                spoke_at=known.spoke_at,
                unanswered=known.unanswered,
            )
        self.state.subscriptions[subscription.recipient] = stored
        return stored

    async def change(self, subscription: Subscription) -> Subscription | None:
        known = self.state.subscriptions.get(subscription.recipient)
        if (0 if known is None else known.revision) != subscription.revision:
            return None
        return await self.put(subscription)

    async def delete(self, recipient: Recipient) -> bool:
        return self.state.subscriptions.pop(recipient, None) is not None

    async def disable(self, recipient: Recipient, *, revision: int) -> bool:
        known = self.state.subscriptions.get(recipient)
        if known is None or known.revision != revision:
            return False
        self.state.subscriptions[recipient] = replace(known, enabled=False, due_at=None, revision=revision + 1)
        return True

    async def of_guild(self, guild_id: int, *, character: str) -> list[Subscription]:
        found = [
            subscription
            for who, subscription in self.state.subscriptions.items()
            if subscription.guild_id == guild_id and who.character == character
        ]
        return sorted(found, key=lambda subscription: subscription.recipient.id)

    async def due(
        self, character: str, *, now: datetime, limit: int, shards: Shards = EVERYTHING
    ) -> list[Subscription]:
        due = [
            (subscription.due_at, subscription)
            for who, subscription in self.state.subscriptions.items()
            if who.character == character
            and subscription.enabled
            and subscription.due_at
            and (subscription.due_at <= now or subscription.due_at > now + FARTHEST)
            and shards.has(subscription.guild_id)
        ]
        return [subscription for _, subscription in sorted(due, key=lambda pair: pair[0])][: max(0, limit)]

    async def schedule(self, subscription: Subscription, due_at: datetime | None, *, worker: str | None = None) -> bool:
        known = self.state.subscriptions.get(subscription.recipient)
        if self.state.is_fenced(subscription.recipient, worker):
            return False
        if known is None or (known.revision, known.spoke_at) != (subscription.revision, subscription.spoke_at):
            return False
        self.state.subscriptions[subscription.recipient] = replace(known, due_at=due_at)
        return True

    async def spoke(self, character: str, *, user_id: int | None, channel_id: int, now: datetime) -> None:
        for kind, recipient_id in ((RecipientKind.USER, user_id), (RecipientKind.CHANNEL, channel_id)):
            who = Recipient(character, kind, recipient_id or 0)
            known = self.state.subscriptions.get(who)
            if known is None:
                continue
            due_at = now if known.due_at is None and known.unanswered else known.due_at
            spoke_at = now if known.spoke_at is None else max(now, known.spoke_at + timedelta(milliseconds=1))
            self.state.subscriptions[who] = replace(known, spoke_at=spoke_at, unanswered=0, due_at=due_at)

    async def suspend(self, user_id: int, *, until: datetime) -> int:
        about = self.state.about(user_id)
        for who in about:
            known = self.state.subscriptions[who]
            longest = max(until, known.suspended_until or until)
            self.state.subscriptions[who] = replace(known, suspended_until=longest)
        return len(about)

    async def pause_all(self, *, character: str, until: datetime | None) -> None:
        if until is None:
            self.state.pauses.pop(character, None)
        else:
            self.state.pauses[character] = until

    async def all_paused_until(self, character: str) -> datetime | None:
        return self.state.pauses.get(character)

    async def counts(self, character: str, *, now: datetime) -> dict[str, int]:
        of = self.state.subscriptions.items()
        enabled = [subscription for who, subscription in of if who.character == character and subscription.enabled]
        return {
            "enabled": len(enabled),
            "paused": sum(one.paused_until is not None and one.paused_until > now for one in enabled),
            "suspended": sum(one.suspended_until is not None and one.suspended_until > now for one in enabled),
            "stopped": sum(one.due_at is None and one.unanswered > 0 for one in enabled),
        }

    async def delete_channel(self, channel_id: int) -> None:
        self.state.forget_recipient(RecipientKind.CHANNEL, channel_id)

    async def delete_guild(self, guild_id: int, *, character: str) -> None:
        for subscription in await self.of_guild(guild_id, character=character):
            del self.state.subscriptions[subscription.recipient]
        for key, guild in list(self.state.slot_guilds.items()):
            if guild == guild_id and key[0].character == character:
                self.state.slots.pop(key, None)


class InMemorySlots:
    """`SlotStore`."""

    def __init__(self, state: ProactiveState | None = None) -> None:
        self.state = state or ProactiveState()

    @property
    def records(self) -> list[SlotRecord]:
        """Every decided slot, in the order they were decided."""
        return list(self.state.slots.values())

    async def claim(
        self, claim: Claim, *, most_per_day: int, minimum_gap_seconds: int, local_day_began: datetime
    ) -> Reason | None:
        gap_began = claim.claimed_at - timedelta(seconds=minimum_gap_seconds)
        if self.state.is_fenced(claim.slot.recipient, claim.worker):
            raise StorageError("the shards are another's now")
        reason = self._obstacle(claim, most_per_day, gap_began, local_day_began)
        if reason is None:
            self._store(_claimed(claim))
        return reason

    async def decide(self, record: SlotRecord) -> bool:
        key = (record.recipient, record.slot_key)
        known = record.recipient in self.state.subscriptions
        if key in self.state.slots or not known or self.state.is_fenced(record.recipient, record.worker):
            return False
        self._store(record)
        return True

    async def sending(self, claim_id: str, *, worker: str) -> bool:
        return self._change(
            claim_id, worker=worker, to=lambda known: replace(known, state=SlotState.SENDING), by=worker
        )

    async def close(
        self,
        claim_id: str,
        state: SlotState,
        *,
        now: datetime,
        reason: Reason | None = None,
        message_id: int | None = None,
    ) -> bool:
        sent_at = now if state is SlotState.SENT else None
        known = self._open(claim_id)
        if known is None:
            return False
        self._store(replace(known, state=state, reason=reason, sent_at=sent_at, message_id=message_id))
        subscription, said_at = self.state.subscriptions.get(known.recipient), sent_at or known.claimed_at or now
        if not may_be_out(state, reason) or subscription is None:
            return True
        spoke_at = subscription.spoke_at
        if spoke_at is None or spoke_at == known.spoke_at or spoke_at <= said_at:
            counted = replace(subscription, unanswered=subscription.unanswered + 1)
            self.state.subscriptions[known.recipient] = counted
        return True

    async def unfinished(
        self, character: str, *, claimed_before: datetime, limit: int, shards: Shards = EVERYTHING
    ) -> list[SlotRecord]:
        found = [
            (slot.claimed_at, slot)
            for slot in self.records
            if slot.recipient.character == character
            and slot.state in _OPEN
            and slot.claimed_at is not None
            and slot.claimed_at < claimed_before
            and shards.has(self.state.slot_guilds.get((slot.recipient, slot.slot_key)))
        ]
        return [slot for _, slot in sorted(found, key=lambda pair: pair[0])][: max(0, limit)]

    async def take_over(self, claim_id: str, *, worker: str, from_worker: str, now: datetime) -> bool:
        return self._change(
            claim_id, worker=from_worker, to=lambda known: replace(known, worker=worker, claimed_at=now), by=worker
        )

    async def recent(self, recipient: Recipient, *, limit: int) -> list[SlotRecord]:
        mine = [slot for slot in self.records if slot.recipient == recipient]
        return sorted(mine, key=lambda slot: slot.due_at)[::-1][: max(0, limit)]

    async def newest(self, *, limit: int) -> list[SlotRecord]:
        return sorted(self.records, key=lambda slot: slot.due_at)[::-1][: max(0, limit)]

    async def last_said(self, recipient: Recipient, *, since: datetime) -> dict[str, datetime]:
        said: dict[str, datetime] = {}
        for slot in self.records:
            if slot.recipient == recipient and slot.candidate_id and slot.claimed_at and slot.claimed_at >= since:
                said[slot.candidate_id] = max(slot.claimed_at, said.get(slot.candidate_id, slot.claimed_at))
        return said

    async def past(self, recipient: Recipient, slot_key: str, *, since: datetime) -> Past:
        mine = (slot.claimed_at for slot in self.records if slot.recipient == recipient and slot.claimed_at)
        return Past(
            decided=(recipient, slot_key) in self.state.slots,
            claimed=tuple(sorted(claimed_at for claimed_at in mine if claimed_at >= since)),
        )

    async def outcomes(self, character: str, *, since: datetime) -> dict[str, int]:
        counted: dict[str, int] = {}
        for slot in self.records:
            if slot.recipient.character == character and slot.due_at >= since:
                counted[slot.outcome] = counted.get(slot.outcome, 0) + 1
        return counted

    async def find(self, claim_id: str) -> SlotRecord | None:
        return next((slot for slot in self.records if slot.id == claim_id), None)

    async def delete_older_than(self, moment: datetime) -> int:
        old = [key for key, slot in self.state.slots.items() if slot.due_at < moment and slot.state not in _OPEN]
        for key in old:
            del self.state.slots[key]
        return len(old)

    def _obstacle(
        self, claim: Claim, most_per_day: int, gap_began: datetime, local_day_began: datetime
    ) -> Reason | None:
        who, now = claim.slot.recipient, claim.claimed_at
        wanted, profile = self.state.subscriptions.get(who), self.state.users.get(who.id)
        claimed = [slot.claimed_at for slot in self.records if slot.recipient == who and slot.claimed_at]
        pauses = (None if wanted is None else wanted.paused_until, self.state.pauses.get(who.character))
        nobody = datetime.min.replace(tzinfo=UTC)
        found = (
            (Reason.CANCELLED, (who, claim.slot.key) in self.state.slots),
            (Reason.OPTED_OUT, who.kind is RecipientKind.USER and profile is not None and profile.opted_out),
            (Reason.NOT_ENABLED, wanted is None or not wanted.enabled),
            (Reason.CHANGED, wanted is not None and wanted.revision != claim.observation.revision),
            (Reason.FROZEN, who.character in self.state.frozen),
            (Reason.PAUSED, any(until is not None and until > now for until in pauses)),
            (Reason.SUSPENDED, wanted is not None and now < (wanted.suspended_until or nobody)),
            (Reason.SPOKE, wanted is not None and wanted.spoke_at != claim.observation.spoke_at),
            (Reason.DAILY_CAP, sum(moment >= local_day_began for moment in claimed) >= most_per_day),
            (Reason.GAP, any(moment > gap_began for moment in claimed)),
        )
        return next((reason for reason, holds in found if holds), None)

    def _open(self, claim_id: str) -> SlotRecord | None:
        return next((slot for slot in self.records if slot.id == claim_id and slot.state in _OPEN), None)

    def _change(self, claim_id: str, *, worker: str, to: Callable[[SlotRecord], SlotRecord], by: str) -> bool:
        known = self._open(claim_id)
        if known is None or known.worker != worker or self.state.is_fenced(known.recipient, by):
            return False
        self._store(to(known))
        return True

    def _store(self, record: SlotRecord) -> None:
        key = (record.recipient, record.slot_key)
        self.state.slots[key] = record
        wanted = self.state.subscriptions.get(record.recipient)
        if wanted is not None and wanted.guild_id is not None:
            self.state.slot_guilds.setdefault(key, wanted.guild_id)


class InMemoryLeases:
    """`LeaseStore`; the seconds of what was taken are seconds of `now`, which tests move."""

    def __init__(self, state: ProactiveState | None = None) -> None:
        self.state = state or ProactiveState()
        self.now = 0.0
        self._until: dict[tuple[str, Shards], tuple[str, float]] = {}
        self._free_at: dict[tuple[str, int], float] = {}

    async def take(self, name: str, shards: Shards, *, token: str, holder: str, seconds: float) -> Held | None:
        rivals = [key for key in self._until if key[0] == name and _meet(key[1], shards)]
        for key in rivals:
            who, until = self._until[key]
            if until > self.now and self.state.leases[key] != token:
                return Held(shards=key[1], holder=who, seconds=until - self.now)
        for key in rivals:
            del self._until[key], self.state.leases[key]
        self._until[name, shards] = (holder, self.now + seconds)
        self.state.leases[name, shards] = token
        return None

    async def renew(self, name: str, shards: Shards, *, token: str, seconds: float) -> bool:
        holder, until = self._until.get((name, shards), ("", 0.0))
        if until <= self.now or self.state.leases[name, shards] != token:
            return False
        self._until[name, shards] = (holder, self.now + seconds)
        return True

    async def release(self, name: str, shards: Shards, *, token: str) -> None:
        if self.state.leases.get((name, shards)) == token:
            self._until[name, shards] = ("", 0.0)

    async def may_identify(self, name: str, bucket: int, *, seconds: float) -> float:
        left = self._free_at.get((name, bucket), self.now) - self.now
        if left <= 0:
            self._free_at[name, bucket] = self.now + seconds
        return max(0.0, left)


def _meet(one: Shards, other: Shards) -> bool:
    return one.count != other.count or (one.first <= other.last and one.last >= other.first)


class InMemoryDrafts:
    """`DraftStore`."""

    def __init__(self, state: ProactiveState | None = None) -> None:
        self.state = state or ProactiveState()
        self._numbers = count(1)

    async def add(self, character: str, locale: Locale, texts: Sequence[str], *, now: datetime) -> list[int]:
        numbers = [next(self._numbers) for _ in texts]
        for number, text in zip(numbers, texts, strict=True):
            self.state.drafts[number] = (character, locale, text, False)
        return numbers

    async def waiting(self, character: str) -> list[tuple[int, Locale, str]]:
        return self._list(character, approved=False)

    async def approve(self, character: str, number: int, *, now: datetime) -> bool:
        known = self.state.drafts.get(number)
        if known is None or known[0] != character or known[3]:
            return False
        self.state.drafts[number] = (*known[:3], True)
        return True

    async def reject(self, character: str, number: int) -> bool:
        if number not in self.state.drafts or self.state.drafts[number][0] != character:
            return False
        del self.state.drafts[number]
        return True

    async def approved(self, character: str) -> list[tuple[int, Locale, str]]:
        return self._list(character, approved=True)

    def _list(self, character: str, *, approved: bool) -> list[tuple[int, Locale, str]]:
        drafts = self.state.drafts.items()
        return [
            (n, locale, text)
            for n, (of, locale, text, is_approved) in drafts
            if (of, is_approved) == (character, approved)
        ]


def _claimed(claim: Claim) -> SlotRecord:
    return SlotRecord(
        id=claim.id,
        recipient=claim.slot.recipient,
        slot_key=claim.slot.key,
        due_at=claim.slot.due_at,
        state=SlotState.CLAIMED,
        offered=claim.offered,
        candidate_id=claim.candidate_id,
        locale=claim.locale,
        grounding=claim.grounding,
        fingerprint=claim.observation.fingerprint,
        selector=claim.selector,
        checks=claim.checks,
        revision=claim.observation.revision,
        spoke_at=claim.observation.spoke_at,
        observed_at=claim.observation.observed_at,
        claimed_at=claim.claimed_at,
        worker=claim.worker,
    )
