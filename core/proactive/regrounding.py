"""Regrounding: whether what was observed is still so at the moment of sending (seed 001, grounding at send time).

Everything is looked at anew: a fresh reading of the clock, the schedule as it is now, the subscription as it is now.
"""

from collections.abc import Callable
from dataclasses import dataclass

from core.characters.pack import Candidate
from core.facts.schedule.state import Stretch
from core.proactive.eligibility import Standing, refusal
from core.proactive.limits import in_range
from core.proactive.moments import fits
from core.proactive.types import Observation, Reason, Slot

_DRIFT = 5.0
"""Seconds by which wall time and monotonic time may differ since the observation; more, and the clock was set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What a message stands on: as it was observed, and as it is now.

    `monotonic`: now, on the clock that never goes back. `fingerprint` and `stretches` are of the schedule as it is
    now, the former for the moment of the observation, the latter around this one.
    """

    slot: Slot
    candidate: Candidate
    observation: Observation
    standing: Standing
    monotonic: float
    fingerprint: str | None
    stretches: tuple[Stretch, ...]


def lost_ground(ground: Ground) -> Reason | None:
    """Return the first reason why the message may not be sent any more, None if all of it still holds."""
    changed = next((reason for reason, holds in _TABLE if holds(ground)), None)
    return changed or refusal(ground.standing)


def _clock_was_set(ground: Ground) -> bool:
    passed = (ground.standing.now - ground.observation.observed_at).total_seconds()
    if ground.observation.monotonic is None:
        return passed < 0
    return abs(passed - (ground.monotonic - ground.observation.monotonic)) > _DRIFT


def _spoke(ground: Ground) -> bool:
    spoke_at = ground.standing.subscription.spoke_at
    return spoke_at is not None and (ground.observation.spoke_at is None or spoke_at > ground.observation.spoke_at)


def _outside(ground: Ground) -> bool:
    slot, now, zone = ground.slot, ground.standing.now, ground.standing.zone
    # When clocks are set back, the minutes before a window's beginning may come again within it.
    shown = zone is None or in_range(slot.window, now.astimezone(zone).time())
    inside = slot.opens <= now < slot.closes and shown
    return not inside or not fits(ground.candidate.window, ground.stretches, ground.standing.now)


_TABLE: tuple[tuple[Reason, Callable[[Ground], bool]], ...] = (
    (Reason.CLOCK, _clock_was_set),
    (Reason.LEASE, lambda ground: not ground.observation.is_leased(ground.standing.now)),
    (Reason.CHANGED, lambda ground: ground.standing.subscription.revision != ground.observation.revision),
    (Reason.SPOKE, _spoke),
    (Reason.FINGERPRINT, lambda ground: ground.fingerprint != ground.observation.fingerprint),
    (Reason.WINDOW, _outside),
)
