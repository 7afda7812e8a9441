"""From one snapshot to one capsule."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from core.facts.capsule.kept import for_capsule
from core.facts.capsule.types import CharacterFacts, FactCapsule, NextActivity, UserFacts
from core.facts.schedule.state import ScheduleState
from core.facts.schedule.timetable import Timetable
from core.facts.world import WorldFacts
from core.facts.zones import find_zone
from core.values import UserProfile


def compile_capsule(
    *,
    observed_at: datetime,
    timezone: str,
    timetable: Timetable | None,
    user: UserProfile,
    last_seen_at: datetime | None,
    private: bool,
    kept: Sequence[str] = (),
    again: bool = False,
) -> FactCapsule:
    """Return the capsule of a turn.

    Args:
        observed_at: when the turn began (aware).
        timezone: the conversation's zone; the one clock is in it.
        timetable: what the character does, None for a character without a schedule.
        user: the person who is answered, as before this message.
        last_seen_at: when they last spoke to this character before (aware); None where it knows of no time.
        private: nobody else reads the conversation. In others, what a person said of themselves elsewhere, their
            zone, and when they last spoke in private are nobody's business: they are left out.
        kept: what the person told and allowed to keep; the caller gives only what may be known here.
        again: the message was answered before, and is what the person was last seen with: that is no time before.

    Raises:
        FactsError: the zone does not exist.
    """
    zone = find_zone(timezone)
    now = observed_at.astimezone(zone)
    holiday = timetable.holiday_on(now.date()) if timetable else None
    since = None if last_seen_at is None else observed_at - last_seen_at
    return FactCapsule(
        world=WorldFacts(now=now, holiday=holiday),
        character=_character(timetable.at(observed_at), now, timetable.zone) if timetable else _UNSCHEDULED,
        user=_user(user, since, kept, private=private, again=again),
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


def _user(user: UserProfile, since: timedelta | None, kept: Sequence[str], *, private: bool, again: bool) -> UserFacts:
    if not private:
        return UserFacts(kept=for_capsule(kept))
    return UserFacts(
        timezone=user.timezone,
        is_new=since is None and not again,
        since_last_spoke=None if again else since,
        kept=for_capsule(kept),
    )
