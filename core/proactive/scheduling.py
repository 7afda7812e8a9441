"""When a recipient is due next, and which slot that is."""

from datetime import datetime
from zoneinfo import ZoneInfo

from core.characters.pack import ProactivePolicy
from core.facts.zones import find_zone, is_zone
from core.proactive.limits import limits_of
from core.proactive.slots import next_slot, slot_due_at
from core.proactive.types import Slot, Subscription


def zone_of(subscription: Subscription) -> ZoneInfo | None:
    """Return the recipient's zone, None where they named none or this machine doesn't know it."""
    name = subscription.wishes.timezone
    return find_zone(name) if name is not None and is_zone(name) else None


def next_due(policy: ProactivePolicy, subscription: Subscription, *, after: datetime) -> datetime | None:
    """Return when the first slot later than an aware moment is due.

    None where nothing can be due: consent or the time zone is missing, nothing is left of the windows, or the pace
    has come to a stop.
    """
    zone, limits = zone_of(subscription), limits_of(policy, subscription.wishes, subscription.unanswered)
    if not subscription.enabled or zone is None or limits is None:
        return None
    slot = next_slot(subscription.recipient, limits, zone, after=after)
    return None if slot is None else slot.due_at


def slot_at(policy: ProactivePolicy, subscription: Subscription, due_at: datetime | None) -> Slot | None:
    """Return the slot that is due at exactly that moment, None if there is none any more.

    A pace that halved meanwhile does not take a slot away: that is for the daily cap and the gap to judge.
    """
    zone, limits = zone_of(subscription), limits_of(policy, subscription.wishes, 0)
    if due_at is None or zone is None or limits is None:
        return None
    return slot_due_at(subscription.recipient, limits, zone, due_at)
