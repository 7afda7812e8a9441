"""A long calendar: what its first question costs beside the loop, and every further one on it."""

import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from core.characters.pack import Schedule
from core.facts.schedule.timetable import Timetable
from data.packs.files import PackFolder
from data.packs.ical import read_calendar

EVENTS = 2000
RECURRING = 200
NOW = datetime(2026, 11, 30, 7, 8, tzinfo=UTC)
TOKYO = ZoneInfo("Asia/Tokyo")


def event(number: int, rng: random.Random) -> str:
    """Return an appointment within two years and a half; the first ones come every week."""
    start = datetime(2025, 1, 1, 8, tzinfo=UTC) + timedelta(days=rng.randrange(900), minutes=30 * rng.randrange(20))
    rule = f"RRULE:FREQ=WEEKLY;BYDAY={rng.choice(['MO', 'TU', 'WE,FR'])}\n" if number < RECURRING else ""
    return (
        f"BEGIN:VEVENT\nUID:{number}@example\nX-YORISOI-ACTIVITY:thing-{number % 50}\nSUMMARY:thing {number % 50}\n"
        f"DTSTART;TZID=Asia/Tokyo:{start:%Y%m%dT%H%M%S}\nDURATION:PT1H\n{rule}END:VEVENT\n"
    )


@pytest.fixture(scope="module")
def schedule(tmp_path_factory: pytest.TempPathFactory) -> Schedule:
    folder, rng = tmp_path_factory.mktemp("calendar"), random.Random(1)
    events = "".join(event(number, rng) for number in range(EVENTS))
    (folder / "schedule.ics").write_text(f"BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//x//EN\n{events}END:VCALENDAR\n")
    found = read_calendar(PackFolder(folder), "schedule.ics", TOKYO)
    assert found is not None
    return found.schedule


def unknown_moments() -> Callable[[], datetime]:
    """Return a function that gives a moment 90 days after the last one, of which nothing is worked out yet."""
    moments = iter(NOW + timedelta(days=90 * number) for number in range(10_000))
    return lambda: next(moments)


def test_the_first_question(benchmark: BenchmarkFixture, schedule: Schedule) -> None:
    table = Timetable(schedule, TOKYO)
    fresh = unknown_moments()
    benchmark(lambda: table.prepare(fresh()))


def test_a_further_question(benchmark: BenchmarkFixture, schedule: Schedule) -> None:
    table = Timetable(schedule, TOKYO)
    table.prepare(NOW)
    assert benchmark(lambda: table.is_ready(NOW) and table.at(NOW)).observed_at == NOW
