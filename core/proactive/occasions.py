"""One occasion from due to decided: observe, select, review, reground, claim, send, record, and on to the next."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from core.characters.pack import Candidate, ProactivePolicy
from core.clock import Clock
from core.errors import ScheduleUnavailableError, StorageError
from core.ports import SlotStore, SubscriptionStore
from core.proactive.attempt import Attempt, Offer, Step, record_of
from core.proactive.eligibility import Standing, refusal
from core.proactive.grounds import Grounds
from core.proactive.lookout import House, Lookout
from core.proactive.observing import Observing, worded_offer
from core.proactive.review import Review
from core.proactive.scheduling import next_due, slot_at
from core.proactive.selection import Selection
from core.proactive.sending import Sending
from core.proactive.types import LEASE_SECONDS, Observation, Reason, Slot, SlotRecord, SlotState, Subscription

_LEASE = timedelta(seconds=LEASE_SECONDS)
_SETTLED = timedelta(seconds=10)
"""How long a claim of another process is left alone: one that lives has sent by then, or is sending."""

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasions:
    """Carries a character's occasions out, one recipient at a time."""

    policy: ProactivePolicy
    subscriptions: SubscriptionStore
    slots: SlotStore
    lookout: Lookout
    observing: Observing
    selection: Selection
    review: Review
    grounds: Grounds
    sending: Sending
    clock: Clock

    async def handle(self, subscription: Subscription, house: House) -> None:
        """Decide what is due for a recipient, and set when they are due next."""
        slot = slot_at(self.policy, subscription, subscription.due_at)
        if slot is not None and slot.due_at <= self.clock.now():
            attempt = await self.judge(slot, subscription, house)
            if attempt is not None:
                await self._try(attempt)
        await self._schedule(subscription)

    async def judge(self, slot: Slot, subscription: Subscription, house: House) -> Attempt | None:
        """Return the attempt at a slot, ended where nothing may be said; None where it is decided already."""
        now = self.clock.now()
        past = await self.lookout.past(slot, subscription, now=now)
        if past.decided:
            return None
        attempt = Attempt(slot=slot, standing=await self.lookout.standing(subscription, past, house, now=now))
        reason = _missed(slot, now) or refusal(attempt.standing)
        return attempt if reason is None else attempt.skipped(reason)

    async def recover(self, record: SlotRecord) -> None:
        """Deal with a claim that was found unfinished: send it again, the same message, or close it as unknown."""
        now = self.clock.now()
        if record.observed_at is None or record.claimed_at is None:
            return
        if record.worker != self.sending.worker and abs(now - record.claimed_at) < _SETTLED:
            return
        leased = timedelta() <= now - record.observed_at < _LEASE
        if leased:
            await self._send_again(record, record.observed_at)
        else:
            closed = await self.slots.close(record.id, SlotState.UNKNOWN, now=now, reason=Reason.CRASHED)
            _log.info("proactive.unknown", slot=record.id, closed=closed)

    async def _try(self, attempt: Attempt) -> None:
        """Carry an attempt out; a fault of ours ends it, or the same fault would come, and cost, again and again."""
        try:
            await self._carry_out(attempt)
        except StorageError:
            raise
        except Exception as error:  # noqa: BLE001 - see above
            _log.error("proactive.fault", slot=attempt.slot.id, error=type(error).__name__)
            await self._record(attempt.skipped(Reason.FAULT))

    async def _carry_out(self, attempt: Attempt) -> None:
        steps: tuple[tuple[Step, Callable[[Attempt], Awaitable[Attempt]]], ...] = (
            (Step.OBSERVED, self.observing.observe),
            (Step.SELECTED, self.selection.select),
            (Step.REVIEWED, self.review.review),
            (Step.REGROUNDED, self.grounds.reground),
            (Step.CLAIMED, self.sending.claim),
        )
        for step, take in steps:
            if attempt.ending is not None:
                break
            attempt = await take(attempt)
            if attempt.ending is None:
                await self.sending.reached(step, attempt.slot)
        if attempt.ending is not None:
            await self._record(attempt)
            return
        seen = attempt.observed
        await self.sending.send(attempt.slot, seen.observation, attempt.offer.text, seen.locale)

    async def _record(self, attempt: Attempt) -> None:
        """Record why nothing is sent; of somebody who opted out nothing is kept, and their consent goes."""
        ending = attempt.ending
        if ending is None or ending.reason is Reason.CANCELLED:
            return
        if ending.reason is Reason.OPTED_OUT:
            await self.subscriptions.delete(attempt.slot.recipient)
            return
        await self.slots.decide(record_of(attempt, ending, worker=self.sending.worker))
        await self.sending.reached(Step.RECORDED, attempt.slot)
        _log.info("proactive.ended", slot=attempt.slot.id, state=ending.state.value, reason=ending.reason.value)

    async def _schedule(self, due: Subscription) -> None:
        """Set when a recipient is due next, from what is so by now: a message that was sent slows the pace."""
        subscription = await self.subscriptions.get(due.recipient)
        if subscription is None or subscription.due_at != due.due_at:
            return
        following = next_due(self.policy, subscription, after=self.clock.now())
        await self.subscriptions.schedule(subscription, following, worker=self.sending.worker)

    async def _send_again(self, record: SlotRecord, observed_at: datetime) -> None:
        """Send an unfinished claim again if it still stands on its ground; else it is left until its lease is over.

        Whoever began it may live, and be about to end it.
        """
        subscription = await self.subscriptions.get(record.recipient)
        slot = None if subscription is None else slot_at(self.policy, subscription, record.due_at)
        candidate = await self._candidate(record)
        if subscription is None or slot is None or slot.id != record.id or candidate is None:
            return
        observation = Observation(
            observed_at=observed_at,
            monotonic=None,
            fingerprint=record.fingerprint,
            revision=record.revision or 0,
            spoke_at=record.spoke_at,
        )
        standing = await self.grounds.stands(slot, candidate, observation, claim=record)
        if isinstance(standing, Reason):
            _log.debug("proactive.ground_lost", slot=record.id, reason=standing.value)
            return
        offer = await self._reworded(record, slot, standing, candidate)
        if offer is None or record.locale is None:
            return
        worker = record.worker or ""
        now = self.clock.now()
        if not await self.slots.take_over(record.id, worker=self.sending.worker, from_worker=worker, now=now):
            return
        await self.sending.reached(Step.RECOVERED, slot)
        await self.sending.send(slot, observation, offer.text, record.locale)

    async def _candidate(self, record: SlotRecord) -> Candidate | None:
        if record.locale is None:
            return None
        known = await self.observing.known(record.locale)
        return next((candidate for candidate in known if candidate.id == record.candidate_id), None)

    async def _reworded(self, record: SlotRecord, slot: Slot, standing: Standing, candidate: Candidate) -> Offer | None:
        """Return what was to be said, worded and reviewed again: the words did not outlive the process."""
        try:
            seen = await self.observing.look(standing.subscription)
        except ScheduleUnavailableError:
            return None
        offer = worded_offer(candidate, seen.capsule, record.locale or seen.locale)
        attempt = Attempt(slot=slot, standing=standing, seen=seen, chosen=offer)
        if offer is None or (await self.review.review(attempt)).ending is not None:
            return None
        return offer


def _missed(slot: Slot, now: datetime) -> Reason | None:
    """Return whether a slot's moment has passed: what was missed is recorded, never sent late."""
    return Reason.MISSED if now - slot.due_at >= _LEASE or now >= slot.closes else None
