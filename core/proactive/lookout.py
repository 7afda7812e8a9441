"""Looks up what decides whether a recipient may be spoken to first. It judges nothing itself."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from core.characters.pack import ProactivePolicy
from core.ports import CharacterStateStore, SlotStore, SubscriptionStore, UserStore
from core.proactive.eligibility import Standing
from core.proactive.limits import limits_of
from core.proactive.scheduling import zone_of
from core.proactive.types import Past, RecipientKind, Slot, Subscription

_LOOKED_BACK = timedelta(hours=26)
"""A local day has up to 25 hours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """What holds for everybody a character might speak to."""

    frozen: bool
    paused_until: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookout:
    """Reads consent, people, past messages and what operators decided."""

    character: str
    policy: ProactivePolicy
    subscriptions: SubscriptionStore
    slots: SlotStore
    users: UserStore
    characters: CharacterStateStore

    async def house(self) -> House:
        """Return what holds for everybody."""
        return House(
            frozen=await self.characters.is_frozen(self.character),
            paused_until=await self.subscriptions.all_paused_until(self.character),
        )

    async def past(self, slot: Slot, subscription: Subscription, *, now: datetime) -> Past:
        """Return what there was with a recipient, as far back as caps and gap reach."""
        limits = limits_of(self.policy, subscription.wishes, subscription.unanswered)
        reach = max(_LOOKED_BACK, limits.gap) if limits is not None else _LOOKED_BACK
        return await self.slots.past(slot.recipient, slot.key, since=now - reach)

    async def standing(
        self, subscription: Subscription, past: Past, house: House, *, now: datetime, own_claim: datetime | None = None
    ) -> Standing:
        """Return where a recipient stands at `now`; a claim of the slot's own (`own_claim`) doesn't count."""
        who = subscription.recipient
        profile = await self.users.get(who.id) if who.kind is RecipientKind.USER else None
        return Standing(
            now=now,
            subscription=subscription,
            limits=limits_of(self.policy, subscription.wishes, subscription.unanswered),
            zone=zone_of(subscription),
            sent=tuple(moment for moment in past.claimed if moment != own_claim),
            opted_out=profile is not None and profile.opted_out,
            frozen=house.frozen,
            all_paused_until=house.paused_until,
        )
