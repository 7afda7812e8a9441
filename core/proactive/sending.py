"""Claim, send, record: what happens once a slot is won, and how it ends."""

from dataclasses import dataclass, replace

import structlog

from core.clock import Clock
from core.errors import DeliveryError, UnreachableError
from core.facts.schedule.wall import day_of, midnight
from core.ports import FirstWordsKeeper, Messenger, SlotStore, SubscriptionStore
from core.proactive.attempt import Attempt, Step, Witness, claim_of
from core.proactive.types import LEASE_SECONDS, Observation, Reason, Slot, SlotState
from core.values import Locale

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sending:
    """Sends what was claimed, once. `worker` names this process among all that share the database."""

    slots: SlotStore
    subscriptions: SubscriptionStore
    messenger: Messenger
    keeper: FirstWordsKeeper
    clock: Clock
    worker: str
    witness: Witness

    async def claim(self, attempt: Attempt) -> Attempt:
        """Return the attempt with the slot won; ended where it was lost in the last look."""
        limits, zone = attempt.standing.limits, attempt.standing.zone
        if limits is None or zone is None:
            return attempt.skipped(Reason.UNANSWERED)
        claim = claim_of(attempt, worker=self.worker, now=self.clock.now())
        if not claim.observation.is_leased(claim.claimed_at):
            return attempt.skipped(Reason.LEASE)
        lost = await self.slots.claim(
            claim,
            most_per_day=limits.per_day,
            minimum_gap_seconds=int(limits.gap.total_seconds()),
            local_day_began=midnight(day_of(claim.claimed_at, zone), zone),
        )
        return replace(attempt, claim=claim) if lost is None else attempt.skipped(lost)

    async def send(self, slot: Slot, observation: Observation, text: str, locale: Locale) -> None:
        """Send a won slot's message and record how that went."""
        if not await self.slots.sending(slot.id, worker=self.worker):
            _log.info("proactive.lost", slot=slot.id)
            return
        await self.reached(Step.SENDING, slot)
        give_up_at = self._give_up_at(slot, observation)
        if self.clock.monotonic() >= give_up_at:
            await self._failed(slot, Reason.LEASE)
            return
        try:
            delivered = await self.messenger.send(slot.recipient, text, nonce=slot.id, give_up_at=give_up_at)
        except UnreachableError as error:
            await self._failed(slot, Reason.FORBIDDEN if error.forbidden else Reason.UNREACHABLE)
            await self.subscriptions.disable(slot.recipient, revision=observation.revision)
            return
        except DeliveryError:
            await self._failed(slot, Reason.DELIVERY)
            return
        sent_at = self.clock.now()
        await self.reached(Step.DELIVERED, slot)
        kept = await self.slots.close(slot.id, SlotState.SENT, now=sent_at, message_id=delivered.message_id)
        await self.reached(Step.RECORDED, slot)
        _log.info("proactive.sent", slot=slot.id, message_id=delivered.message_id)
        if kept:
            await self.keeper.said_first(slot.recipient, delivered, text, locale=locale)

    async def reached(self, step: Step, slot: Slot) -> None:
        """Note a completed step."""
        _log.debug(f"proactive.{step.value}", slot=slot.id, character=slot.recipient.character)
        await self.witness.reached(step, slot)

    async def _failed(self, slot: Slot, reason: Reason) -> None:
        await self.slots.close(slot.id, SlotState.FAILED, now=self.clock.now(), reason=reason)
        _log.info("proactive.failed", slot=slot.id, reason=reason.value)

    def _give_up_at(self, slot: Slot, observation: Observation) -> float:
        """Return when (monotonic) the lease or the window ends, whichever is first: now, if the clock was set back."""
        now, monotonic = self.clock.now(), self.clock.monotonic()
        if not observation.is_leased(now):
            return monotonic
        leased = LEASE_SECONDS - (now - observation.observed_at).total_seconds()
        if observation.monotonic is not None:
            leased = min(leased, LEASE_SECONDS - (monotonic - observation.monotonic))
        return monotonic + min(leased, (slot.closes - now).total_seconds())
