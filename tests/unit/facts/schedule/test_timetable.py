"""The rules of docs/schedule.md, one by one."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from core.characters.pack import Activity, DatedException, HolidayRule, Schedule, Span, Weekday, WeeklyEntry
from core.facts.errors import FactsError
from core.facts.schedule.holidays import HolidayCalendar
from core.facts.schedule.occurrence import Occurrence
from core.facts.schedule.timetable import HORIZON_DAYS, Timetable
from core.facts.schedule.wall import day_of, first_moment, midnight
from core.facts.schedule.week import schedule_rows
from core.values import Locale

TOKYO = ZoneInfo("Asia/Tokyo")
ACTIVITIES = {name: Activity(id=name, text={Locale.EN: name}) for name in "abc"}
EVERY_DAY = frozenset(Weekday)


def _span(activity: str, start: time, end: time, priority: int = 0) -> Span:
    return Span(activity=activity, start=start, end=end, priority=priority)


def _daily(*spans: Span) -> tuple[WeeklyEntry, ...]:
    return tuple(WeeklyEntry(days=EVERY_DAY, span=span) for span in spans)


def _table(*spans: Span, zone: str = "Asia/Tokyo", exceptions: Sequence[DatedException] = ()) -> Timetable:
    schedule = Schedule(activities=ACTIVITIES, weekly=_daily(*spans), exceptions=tuple(exceptions))
    return Timetable.of(schedule, zone)


def _name(table: Timetable, at: str) -> str | None:
    state = table.at(datetime.fromisoformat(at).replace(tzinfo=table.zone))
    return state.activity.id if state.activity else None


def test_the_higher_priority_holds_whichever_began_later() -> None:
    table = _table(_span("a", time(9), time(17), priority=1), _span("b", time(12), time(13)))
    assert _name(table, "2026-11-30T12:30") == "a"


def test_of_the_same_priority_the_later_start_holds() -> None:
    table = _table(_span("a", time(9), time(17)), _span("b", time(12), time(13)))
    assert [_name(table, f"2026-11-30T{at}") for at in ("11:59", "12:00", "12:59", "13:00")] == ["a", "b", "b", "a"]


def test_what_an_exception_adds_holds_before_the_week() -> None:
    added = DatedException(year=2026, month=11, day=30, add=(_span("b", time(8), time(20)),))
    table = _table(_span("a", time(9), time(17)), exceptions=[added])
    assert _name(table, "2026-11-30T10:00") == "b"
    assert _name(table, "2026-12-01T10:00") == "a"


def test_an_exception_gives_way_to_a_higher_priority() -> None:
    added = DatedException(year=None, month=11, day=30, add=(_span("b", time(8), time(20)),))
    table = _table(_span("a", time(9), time(17), priority=1), exceptions=[added])
    assert _name(table, "2026-11-30T10:00") == "a"


def test_of_two_that_begin_together_the_first_in_the_file_holds() -> None:
    table = _table(_span("b", time(9), time(17)), _span("a", time(9), time(17)))
    assert _name(table, "2026-11-30T10:00") == "b"


def test_a_cancelled_night_is_the_one_that_begins_on_the_day() -> None:
    cancelled = DatedException(year=2026, month=11, day=30, cancel=frozenset({"a"}))
    table = _table(_span("a", time(23), time(7)), exceptions=[cancelled])
    assert _name(table, "2026-11-30T03:00") == "a"
    assert _name(table, "2026-12-01T03:00") is None


def test_touching_entries_of_one_activity_are_one_stretch() -> None:
    table = _table(_span("a", time(22), time(0)), _span("a", time(0), time(6)))
    state = table.at(datetime(2026, 11, 30, 1, tzinfo=TOKYO))
    assert state.running_for == timedelta(hours=3)
    assert state.remaining == timedelta(hours=5)


def test_a_stretch_resumes_after_what_interrupted_it() -> None:
    table = _table(_span("a", time(9), time(17)), _span("b", time(12), time(13)))
    state = table.at(datetime(2026, 11, 30, 14, tzinfo=TOKYO))
    assert state.running_for == timedelta(hours=1)


def test_an_empty_hour_knows_what_comes_next() -> None:
    table = _table(_span("a", time(9), time(10)), _span("b", time(12), time(13)))
    state = table.at(datetime(2026, 11, 30, 11, tzinfo=TOKYO))
    assert state.activity is None
    assert state.running_for == timedelta(hours=1)
    assert state.upcoming is not None
    assert state.upcoming.activity.id == "b"
    assert state.upcoming_in == state.remaining == timedelta(hours=1)


def test_a_whole_day_is_from_a_time_to_the_same_time() -> None:
    weekly = (WeeklyEntry(days=frozenset({Weekday.MON}), span=_span("a", time(10), time(10))),)
    table = Timetable(Schedule(activities=ACTIVITIES, weekly=weekly), TOKYO)
    assert [_name(table, f"2026-{at}") for at in ("11-30T09:59", "11-30T10:00", "12-01T09:59", "12-01T10:00")] == [
        None,
        "a",
        "a",
        None,
    ]


@pytest.mark.parametrize(("away", "is_seen"), [(HORIZON_DAYS, True), (HORIZON_DAYS + 1, False)])
def test_the_next_activity_is_looked_for_as_far_as_the_horizon(away: int, is_seen: bool) -> None:
    today = date(2026, 11, 30)
    far, before = today + timedelta(days=away), today - timedelta(days=away)
    exceptions = [
        DatedException(year=day.year, month=day.month, day=day.day, add=(_span("a", time(9), time(10)),))
        for day in (far, before)
    ]
    state = _table(exceptions=exceptions).at(datetime(2026, 11, 30, 12, tzinfo=TOKYO))
    assert (state.upcoming is not None) is is_seen
    assert (state.ends is not None) is is_seen
    assert (state.began is not None) is is_seen


def test_without_end_there_is_no_end_to_tell() -> None:
    state = _table(_span("a", time(0), time(0))).at(datetime(2026, 11, 30, 12, tzinfo=TOKYO))
    assert state.activity is not None
    assert (state.began, state.ends, state.upcoming) == (None, None, None)


@pytest.mark.parametrize(
    ("zone", "wall", "moment"),
    [
        # An hour skipped: its times mean the end of the gap.
        ("America/New_York", "2026-03-08T02:30", "2026-03-08T07:00"),
        ("America/New_York", "2026-03-08T03:00", "2026-03-08T07:00"),
        ("America/New_York", "2026-03-08T01:59", "2026-03-08T06:59"),
        # An hour that comes twice: the first time.
        ("America/New_York", "2026-11-01T01:30", "2026-11-01T05:30"),
        ("America/New_York", "2026-11-01T02:00", "2026-11-01T07:00"),
        # Half an hour forward and back.
        ("Australia/Lord_Howe", "2026-10-04T02:15", "2026-10-03T15:30"),
        ("Australia/Lord_Howe", "2026-04-05T01:45", "2026-04-04T14:45"),
        # Midnight itself skipped.
        ("Africa/Cairo", "2026-04-24T00:00", "2026-04-23T22:00"),
        ("Africa/Cairo", "2026-04-24T00:30", "2026-04-23T22:00"),
        # A whole day skipped.
        ("Pacific/Apia", "2011-12-30T09:00", "2011-12-30T10:00"),
        # Back over midnight one minute after it.
        ("America/St_Johns", "2009-11-01T00:00", "2009-11-01T02:30"),
        ("America/St_Johns", "2009-11-01T00:01", "2009-11-01T03:31"),
    ],
)
def test_a_wall_time_is_the_first_moment_that_shows_it_or_later(zone: str, wall: str, moment: str) -> None:
    at = datetime.fromisoformat(wall)
    assert first_moment(at.date(), at.time(), ZoneInfo(zone)) == datetime.fromisoformat(moment).replace(tzinfo=UTC)


def test_a_clock_put_back_over_midnight_does_not_bring_back_the_day() -> None:
    zone = ZoneInfo("America/St_Johns")
    begun = midnight(date(2009, 11, 1), zone)
    again = begun + timedelta(minutes=30)
    assert again.astimezone(zone).date() == date(2009, 10, 31)
    assert day_of(again, zone) == date(2009, 11, 1)
    table = _table(_span("a", time(0), time(6)), _span("b", time(23), time(0)), zone="America/St_Johns")
    state = table.at(again)
    assert state.activity is not None
    assert state.activity.id == "a"
    assert state.running_for == timedelta(minutes=30)


def test_a_night_is_shorter_when_clocks_go_forward_and_longer_when_they_go_back() -> None:
    table = _table(_span("a", time(23), time(7)), zone="Europe/London")
    lengths = []
    for moment in (datetime(2026, 3, 29, 2, tzinfo=UTC), datetime(2026, 10, 25, 2, tzinfo=UTC)):
        state = table.at(moment)
        assert state.running_for is not None
        assert state.remaining is not None
        lengths.append(state.running_for + state.remaining)
    assert lengths == [timedelta(hours=7), timedelta(hours=9)]


def test_holidays_can_be_left_out_added_or_demanded() -> None:
    weekly = (
        WeeklyEntry(days=EVERY_DAY, span=_span("a", time(9), time(10)), on_holidays=HolidayRule.SKIP),
        WeeklyEntry(days=frozenset({Weekday.SUN}), span=_span("b", time(11), time(12)), on_holidays=HolidayRule.ALSO),
        WeeklyEntry(days=frozenset({Weekday.MON}), span=_span("c", time(13), time(14)), on_holidays=HolidayRule.ONLY),
    )
    table = Timetable.of(Schedule(activities=ACTIVITIES, weekly=weekly, holidays="JP"), "Asia/Tokyo")

    def day(number: int) -> list[str | None]:
        return [_name(table, f"2026-11-{number:02}T{hour}:30") for hour in ("09", "11", "13")]

    assert day(23) == [None, "b", "c"]  # a Monday, Labour Thanksgiving Day
    assert day(30) == ["a", None, None]  # a Monday
    assert day(3) == [None, "b", None]  # a Tuesday, Culture Day
    assert day(29) == ["a", "b", None]  # a Sunday


def test_a_place_has_its_own_holidays() -> None:
    day = date(2026, 3, 31)
    assert HolidayCalendar.of("US").on(day) is None
    found = HolidayCalendar.of("US-CA").on(day)
    assert found is not None
    assert "Chavez" in found.name[Locale.EN]


def test_holidays_have_a_name_in_each_locale() -> None:
    found = HolidayCalendar.of("JP").on(date(2026, 11, 23))
    assert found is not None
    assert found.name == {Locale.JA: "勤労感謝の日", Locale.EN: "Labor Thanksgiving Day"}


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("jp", "did you mean 'JP'"),
        ("Japan", "did you mean 'JP'"),
        ("日本", "did you mean 'JP'"),
        ("Atlantis", "known; examples are 'JP' and 'US-CA'"),
        ("GB-XX", "'GB-XX' is not a part of GB.*GB-ENG"),
        ("", "not a country"),
    ],
)
def test_an_unknown_place_is_refused(place: str, message: str) -> None:
    with pytest.raises(FactsError, match=message):
        HolidayCalendar.of(place)


class _Fixed:
    def __init__(self, *occurrences: Occurrence) -> None:
        self._occurrences = occurrences

    def overlapping(self, start: datetime, end: datetime) -> Sequence[Occurrence]:
        return [o for o in self._occurrences if o.start < end and o.end > start]


def test_what_a_calendar_gives_may_last_for_days() -> None:
    start = datetime(2026, 11, 27, 9, tzinfo=UTC)
    calendar = _Fixed(Occurrence(activity="c", start=start, end=start + timedelta(days=5, minutes=7)))
    state = Timetable(Schedule(activities=ACTIVITIES, calendar=calendar), TOKYO).at(start + timedelta(days=2))
    assert state.running_for == timedelta(days=2)
    assert state.remaining == timedelta(days=3, minutes=7)


def test_rows_tell_a_week_in_order_with_the_moment_marked() -> None:
    table = _table(_span("a", time(23), time(7)), _span("b", time(9), time(12)))
    rows = list(schedule_rows(table, at=datetime(2026, 11, 30, 10, tzinfo=TOKYO), days=2, locale=Locale.EN))
    assert [(row.day.day, f"{row.start:%H:%M}-{row.end:%H:%M}", row.ends_later, row.title) for row in rows] == [
        (29, "23:00-07:00", 1, "a"),
        (30, "07:00-09:00", 0, None),
        (30, "09:00-12:00", 0, "b"),
        (30, "12:00-23:00", 0, None),
        (30, "23:00-07:00", 1, "a"),
        (1, "07:00-09:00", 0, None),
        (1, "09:00-12:00", 0, "b"),
        (1, "12:00-23:00", 0, None),
        (1, "23:00-07:00", 1, "a"),
    ]
    assert [row.title for row in rows if row.is_now] == ["b"]
    assert rows[2].day_text == "Monday, November 30, 2026"
    assert rows[2].as_dict()["start"] == "2026-11-30T09:00:00+09:00"


def test_rows_tell_days_that_an_exception_changes() -> None:
    schedule = Schedule(
        activities=ACTIVITIES,
        weekly=_daily(_span("b", time(9), time(12))),
        exceptions=(DatedException(year=None, month=12, day=1, cancel=frozenset({"b"})),),
    )
    rows = list(
        schedule_rows(Timetable(schedule, TOKYO), at=datetime(2026, 11, 30, tzinfo=TOKYO), days=3, locale=Locale.EN)
    )
    assert {row.day.day: row.is_exception for row in rows if row.title} == {30: False, 2: False}
    assert Timetable(schedule, TOKYO).is_exceptional(date(2030, 12, 1))


def test_rows_of_an_empty_schedule_end() -> None:
    rows = list(schedule_rows(_table(), at=datetime(2026, 11, 30, 10, tzinfo=TOKYO), days=7, locale=Locale.JA))
    assert [row.title for row in rows] == [None]


def test_rows_tell_what_lies_beyond_an_empty_time_longer_than_the_horizon() -> None:
    far = date(2026, 11, 30) + timedelta(days=2 * HORIZON_DAYS)
    added = DatedException(year=far.year, month=far.month, day=far.day, add=(_span("b", time(8), time(20)),))
    rows = list(
        schedule_rows(
            _table(exceptions=[added]), at=datetime(2026, 11, 30, tzinfo=TOKYO), days=3 * HORIZON_DAYS, locale=Locale.EN
        )
    )
    assert [row.activity for row in rows] == [None, "b", None]
    assert rows[1].start == datetime(2026, far.month, far.day, 8, tzinfo=TOKYO)
    assert rows[2].end == midnight(date(2026, 11, 30) + timedelta(days=3 * HORIZON_DAYS), TOKYO)
    assert rows[0].last_day_text == "Monday, December 28, 2026"


def test_a_moment_is_ready_when_every_day_it_may_look_at_is_worked_out() -> None:
    table, moment = _table(), datetime(2026, 11, 30, 10, tzinfo=TOKYO)
    assert not table.is_ready(moment)

    table.prepare(moment)

    assert table.is_ready(moment)
    assert table.is_ready(moment.replace(hour=23))
    assert not table.is_ready(moment + timedelta(days=1))


def test_what_was_worked_out_last_stays() -> None:
    table, first = _table(), datetime(2026, 11, 30, 10, tzinfo=TOKYO)
    for days in range(120):
        table.prepare(first + timedelta(days=days))
        assert table.is_ready(first + timedelta(days=days))
    assert not table.is_ready(first)


def test_threads_that_ask_at_once_get_the_same_answers() -> None:
    moments = [datetime(2026, 1, 1, 10, tzinfo=TOKYO) + timedelta(days=9 * number) for number in range(40)]
    schedule = Schedule(activities=ACTIVITIES, weekly=_daily(_span("b", time(9), time(12))))
    expected = [Timetable(schedule, TOKYO).at(moment) for moment in moments]
    shared = Timetable(schedule, TOKYO)

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(shared.at, moments)) == expected


def test_rows_are_of_one_day_at_least() -> None:
    with pytest.raises(ValueError, match="at least one day"):
        list(schedule_rows(_table(), at=datetime(2026, 11, 30, tzinfo=TOKYO), days=0, locale=Locale.EN))
