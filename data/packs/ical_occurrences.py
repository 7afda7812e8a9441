"""When the events of a calendar take place."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import chain
from threading import Lock
from zoneinfo import ZoneInfo

from icalendar import Calendar, Event
from recurring_ical_events import CalendarQuery, of  # type: ignore[import-untyped]

from core.facts.schedule.occurrence import Occurrence
from core.facts.schedule.wall import first_moment, midnight
from data.packs.ical_events import priority_of, value_of

ENTRY_PROPERTY = "X-YORISOI-ENTRY"  # marks each event with its number, so that an occurrence tells what it is one of
# Local times are compared by the clock and all-day events by the date: a day more on either side finds all.
MARGIN = timedelta(days=1)
_BLOCK = timedelta(days=32)
_KEPT_BLOCKS = 6
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class EventReading:
    """What events say in a calendar whose events are numbered: the activity of each number, the character's zone."""

    activities: Sequence[str]
    zone: ZoneInfo

    def occurrences(self, events: Iterable[Event]) -> Iterator[Occurrence]:
        """Yield what takes place."""
        for event in events:
            if str(event.get("STATUS", "")).upper() == "CANCELLED":
                continue
            number = int(value_of(event, ENTRY_PROPERTY))
            yield Occurrence(
                activity=self.activities[number],
                start=_moment(value_of(event, "DTSTART").dt, self.zone),
                end=_moment(value_of(event, "DTEND").dt, self.zone),
                priority=priority_of(event),
                order=number,
            )


class CalendarOccurrences:
    """The occurrences of a calendar, worked out a month or so at a time and kept for a while; threads may share it.

    What takes place once is worked out when the file is read, so that of it nothing but two moments need be kept: a
    long calendar of somebody's appointments would make every collection of garbage slow.
    """

    def __init__(self, *, once: Sequence[Occurrence], recurring: Calendar, reading: EventReading) -> None:
        """Take what takes place once, and a calendar of what recurs."""
        self._long = [occurrence for occurrence in once if occurrence.end - occurrence.start > _BLOCK]
        self._once: dict[int, list[Occurrence]] = {}
        for occurrence in once:
            if occurrence.end - occurrence.start <= _BLOCK:
                for block in _blocks_of(occurrence.start, occurrence.end):
                    self._once.setdefault(block, []).append(occurrence)
        self._query: CalendarQuery = of(recurring)
        self._reading = reading
        self._blocks: dict[int, tuple[Occurrence, ...]] = {}
        self._expanding = Lock()

    def overlapping(self, start: datetime, end: datetime) -> Sequence[Occurrence]:
        """Return whatever takes place between two moments, even in part."""
        found = dict.fromkeys(chain(self._long, *(self._block(block) for block in _blocks_of(start, end))))
        return [occurrence for occurrence in found if occurrence.start < end and occurrence.end > start]

    def _block(self, number: int) -> tuple[Occurrence, ...]:
        with self._expanding:
            if number not in self._blocks:
                if len(self._blocks) >= _KEPT_BLOCKS:
                    del self._blocks[next(iter(self._blocks))]
                start = _EPOCH + number * _BLOCK
                recurring = self._between(start, start + _BLOCK)
                self._blocks[number] = (*self._once.get(number, ()), *recurring)
            return self._blocks[number]

    def _between(self, start: datetime, end: datetime) -> Iterator[Occurrence]:
        zone = self._reading.zone
        return self._reading.occurrences(
            self._query.between((start - MARGIN).astimezone(zone), (end + MARGIN).astimezone(zone))
        )


def _blocks_of(start: datetime, end: datetime) -> range:
    return range((start - _EPOCH) // _BLOCK, (end - _EPOCH) // _BLOCK + 1)


def _moment(value: date, zone: ZoneInfo) -> datetime:
    """Return a moment in UTC: days and local times are the character's."""
    if not isinstance(value, datetime):
        return midnight(value, zone)
    return first_moment(value.date(), value.time(), zone) if value.tzinfo is None else value.astimezone(UTC)
