"""Reground: everything a message rests on, looked at anew at the moment of sending (seed 001)."""

from dataclasses import dataclass, replace

from core.characters.pack import Candidate
from core.clock import Clock
from core.errors import ScheduleUnavailableError
from core.ports import SubscriptionStore, TimetableSource
from core.proactive.attempt import Attempt
from core.proactive.eligibility import Standing
from core.proactive.fingerprint import fingerprint
from core.proactive.lookout import Lookout
from core.proactive.moments import stretches_around
from core.proactive.regrounding import Ground, lost_ground
from core.proactive.types import Observation, Reason, Slot, SlotRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounds:
    """Looks at a fresh clock, the live schedule and the stores."""

    lookout: Lookout
    subscriptions: SubscriptionStore
    timetables: TimetableSource
    clock: Clock

    async def reground(self, attempt: Attempt) -> Attempt:
        """Return the attempt as it stands now; ended where the ground is lost."""
        found = await self.stands(attempt.slot, attempt.offer.candidate, attempt.observed.observation)
        return attempt.skipped(found) if isinstance(found, Reason) else replace(attempt, standing=found)

    async def stands(
        self, slot: Slot, candidate: Candidate, observation: Observation, *, claim: SlotRecord | None = None
    ) -> Standing | Reason:
        """Return where the recipient stands now, else the first reason why nothing may be sent any more.

        `claim` is the slot's own, where there is one: it does not count against caps and gap.
        """
        subscription = await self.subscriptions.get(slot.recipient)
        if subscription is None:
            return Reason.NOT_ENABLED
        try:
            timetable = await self.timetables.current()
        except ScheduleUnavailableError:
            return Reason.NO_SCHEDULE
        house, early = await self.lookout.house(), self.clock.now()
        past = await self.lookout.past(slot, subscription, now=early)
        own = None if claim is None else claim.claimed_at
        read = await self.lookout.standing(subscription, past, house, now=early, own_claim=own)
        # The clock is read last: nothing may come between it and the verdict.
        standing = replace(read, now=self.clock.now())
        ground = Ground(
            slot=slot,
            candidate=candidate,
            observation=observation,
            standing=standing,
            monotonic=self.clock.monotonic(),
            fingerprint=fingerprint(timetable, observation.observed_at),
            stretches=stretches_around(timetable, standing.now),
        )
        return lost_ground(ground) or standing
