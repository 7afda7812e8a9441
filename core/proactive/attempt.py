"""One slot on its way: what the steps have found out so far, and how it ended if it has."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from core.characters.pack import Candidate
from core.facts.capsule.types import FactCapsule
from core.facts.schedule.state import Stretch
from core.proactive.eligibility import Standing
from core.proactive.types import Claim, Grounding, Observation, Reason, Slot, SlotRecord, SlotState, Subscription
from core.values import GuildSettings, Locale, UserProfile


class Step(StrEnum):
    """The steps in their order, and what a claim that was found unfinished goes through."""

    JUDGED = "judged"
    OBSERVED = "observed"
    SELECTED = "selected"
    REVIEWED = "reviewed"
    REGROUNDED = "regrounded"
    CLAIMED = "claimed"
    SENDING = "sending"
    DELIVERED = "delivered"
    RECORDED = "recorded"
    RECOVERED = "recovered"


class Witness(Protocol):
    """Is told of every step as it is completed; what it does may delay the next one, nothing more."""

    async def reached(self, step: Step, slot: Slot) -> None:
        """Take note that a slot has come that far."""


class NobodyWatches:
    """The witness that takes no note."""

    async def reached(self, step: Step, slot: Slot) -> None:
        """Do nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A candidate that may be said now, with its slots filled."""

    candidate: Candidate
    text: str

    @property
    def grounding(self) -> Grounding:
        """What its truth rests on."""
        return Grounding.NEUTRAL if self.candidate.window is None else Grounding.SCHEDULE


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What was observed: everything a message is decided on. `user` is None for a channel, `guild` for a person."""

    observation: Observation
    stretches: tuple[Stretch, ...]
    capsule: FactCapsule
    locale: Locale
    timezone: str
    user: UserProfile | None
    guild: GuildSettings | None
    offers: tuple[Offer, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a slot ended without a message, and why."""

    state: SlotState
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """A slot and what is known about it by now. A step takes one and returns a new one."""

    slot: Slot
    standing: Standing
    seen: Seen | None = None
    chosen: Offer | None = None
    selector: str | None = None
    checks: tuple[str, ...] = ()
    claim: Claim | None = None
    ending: Ending | None = None

    @property
    def subscription(self) -> Subscription:
        """The recipient's consent as it was read last."""
        return self.standing.subscription

    @property
    def observed(self) -> Seen:
        """What was observed; asked for only after that step."""
        if self.seen is None:
            raise RuntimeError(f"slot {self.slot.id} was not observed yet")
        return self.seen

    @property
    def offer(self) -> Offer:
        """What was chosen; asked for only after that step."""
        if self.chosen is None:
            raise RuntimeError(f"nothing was chosen for slot {self.slot.id} yet")
        return self.chosen

    def skipped(self, reason: Reason) -> "Attempt":
        """Return the attempt, ended."""
        return replace(self, ending=Ending(state=SlotState.SKIPPED, reason=reason))

    def declined(self, reason: Reason) -> "Attempt":
        """Return the attempt, ended by a choice."""
        return replace(self, ending=Ending(state=SlotState.DECLINED, reason=reason))


def claim_of(attempt: Attempt, *, worker: str, now: datetime) -> Claim:
    """Return the claim of a slot for what was chosen."""
    seen, offer = attempt.observed, attempt.offer
    return Claim(
        id=attempt.slot.id,
        slot=attempt.slot,
        observation=seen.observation,
        candidate_id=offer.candidate.id,
        locale=seen.locale,
        grounding=offer.grounding,
        selector=attempt.selector or "",
        worker=worker,
        claimed_at=now,
        offered=offered_ids(attempt),
        checks=attempt.checks,
    )


def record_of(attempt: Attempt, ending: Ending, *, worker: str) -> SlotRecord:
    """Return how a slot that ends without a message is recorded."""
    seen, offer = attempt.seen, attempt.chosen
    return SlotRecord(
        id=attempt.slot.id,
        recipient=attempt.slot.recipient,
        slot_key=attempt.slot.key,
        due_at=attempt.slot.due_at,
        state=ending.state,
        reason=ending.reason,
        offered=offered_ids(attempt),
        candidate_id=None if offer is None else offer.candidate.id,
        locale=None if seen is None else seen.locale,
        grounding=None if offer is None else offer.grounding,
        fingerprint=None if seen is None else seen.observation.fingerprint,
        selector=attempt.selector,
        checks=attempt.checks,
        observed_at=None if seen is None else seen.observation.observed_at,
        worker=worker,
    )


def offered_ids(attempt: Attempt) -> tuple[str, ...]:
    """Return the ids that were offered."""
    return () if attempt.seen is None else tuple(offer.candidate.id for offer in attempt.seen.offers)
