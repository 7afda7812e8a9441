"""From one snapshot to one capsule."""

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from core.facts.capsule.kept import for_capsule
from core.facts.capsule.types import CharacterFacts, ClockOwner, FactCapsule, NextActivity, UserFacts
from core.facts.schedule.state import ScheduleState
from core.facts.schedule.timetable import Timetable
from core.facts.world import WorldFacts
from core.facts.zones import find_zone
from core.values import KeptFact


def compile_capsule(
    *,
    observed_at: datetime,
    timezone: str,
    clock: ClockOwner,
    timetable: Timetable | None,
    last_seen_at: datetime | None,
    private: bool,
    kept: Sequence[KeptFact] = (),
    again: bool = False,
) -> FactCapsule:
    """Return the capsule of a turn.

    Args:
        observed_at: when the turn began (aware).
        timezone: the conversation's zone; the one clock is in it.
        clock: whose zone that is.
        timetable: what the character does, None for a character without a schedule.
        last_seen_at: when the person who is answered last spoke to this character before (aware); None if never.
        private: nobody else reads the conversation. In others, when a person last spoke in private is nobody's
            business: it is left out. Their zone must not be the clock there, either.
        kept: what the person told and allowed to keep, the oldest first; the caller gives only what may be known here.
        again: the message was answered before, and is what the person was last seen with: that is no time before.

    Raises:
        FactsError: the zone does not exist.
    """
    zone = find_zone(timezone)
    now = observed_at.astimezone(zone)
    holiday = timetable.holiday_on(now.date()) if timetable else None
    since = None if last_seen_at is None else observed_at - last_seen_at
    return FactCapsule(
        clock=clock,
        private=private,
        world=WorldFacts(now=now, holiday=holiday),
        character=_character(timetable.at(observed_at), now, timetable.zone) if timetable else _UNSCHEDULED,
        user=UserFacts(
            timezone=timezone if clock is ClockOwner.USER else None,
            is_new=private and since is None and not again,
            since_last_spoke=since if private and not again else None,
            kept=for_capsule(kept, now),
        ),
    )


_UNSCHEDULED = CharacterFacts(scheduled=False)


def _character(state: ScheduleState, now: datetime, home: ZoneInfo) -> CharacterFacts:
    upcoming, ahead = state.upcoming, state.upcoming_in
    return CharacterFacts(
        activity=state.activity,
        since=state.running_for,
        left=state.remaining,
        upcoming=NextActivity(activity=upcoming.activity, ahead=ahead) if upcoming and ahead is not None else None,
        lives_elsewhere=now.utcoffset() != now.astimezone(home).utcoffset(),
    )
