"""A character, a recipient and a week to decide about."""

from datetime import UTC, datetime, time
from zoneinfo import ZoneInfo

from core.characters.pack import (
    Activity,
    ProactivePolicy,
    Schedule,
    Span,
    TimeRange,
    Weekday,
    WeeklyEntry,
)
from core.facts.schedule.timetable import Timetable
from core.proactive.types import Recipient, RecipientKind
from core.values import Locale

TOKYO = ZoneInfo("Asia/Tokyo")
NEW_YORK = ZoneInfo("America/New_York")
RECIPIENT = Recipient("hinata", RecipientKind.USER, 80351110224678912)


def hours(text: str) -> TimeRange:
    """Read a range such as `08:30-11:00`."""
    start, end = text.split("-")
    return TimeRange(start=time.fromisoformat(start), end=time.fromisoformat(end))


def policy(*windows: str, quiet: str = "22:00-08:00", per_day: int = 3, gap: int = 60) -> ProactivePolicy:
    """Return an enabled policy."""
    return ProactivePolicy(
        enabled=True,
        per_day=per_day,
        minimum_gap_minutes=gap,
        windows=tuple(hours(window) for window in windows),
        quiet_hours=hours(quiet),
    )


def at(text: str, zone: ZoneInfo = TOKYO) -> datetime:
    """Read a moment on the clocks of a zone."""
    return datetime.fromisoformat(text).replace(tzinfo=zone).astimezone(UTC)


def timetable(*spans: str, zone: str = "Asia/Tokyo", text: str = "baking") -> Timetable:
    """Return a timetable that is the same every day: `bake 09:00-11:00`."""
    weekly = []
    activities = {}
    for span in spans:
        name, clock = span.split()
        bounds = hours(clock)
        activities[name] = Activity(id=name, text={Locale.EN: text, Locale.JA: text})
        weekly.append(
            WeeklyEntry(days=frozenset(Weekday), span=Span(activity=name, start=bounds.start, end=bounds.end))
        )
    return Timetable.of(Schedule(activities=activities, weekly=tuple(weekly)), zone)
