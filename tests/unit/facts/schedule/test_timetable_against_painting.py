"""The timetable and a reference that paints every minute say the same, over two years in five zones."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.characters.pack import (
    Activity,
    DatedException,
    HolidayRule,
    Schedule,
    Span,
    Weekday,
    WeeklyEntry,
)
from core.facts.schedule.holidays import HolidayCalendar
from core.facts.schedule.state import ScheduleState
from core.facts.schedule.timetable import HORIZON_DAYS, Timetable
from core.values import Locale
from tests.unit.facts.schedule.painting import DAY, MINUTE, Answer, Painting

ZONES = ("Asia/Tokyo", "Europe/London", "America/New_York", "Australia/Lord_Howe", "America/St_Johns")
FIRST, LAST = date(2026, 1, 1), date(2027, 12, 31)
HOLIDAYS = HolidayCalendar.of("GB-ENG")
HOLIDAY_DATES = frozenset(
    day for n in range(-40, 800) for day in [FIRST + n * DAY] if HOLIDAYS.on(day) is not None
)  # read from the library once: which days are holidays is not what is tested
# Clocks change at midnight here: one day has none, another has it twice.
MIDNIGHT_ZONE = "Africa/Cairo"
# Days on which clocks change in one of the zones, and the turn of the years.
NOTABLE = (
    date(2026, 4, 24),
    date(2026, 10, 30),
    date(2026, 3, 8),
    date(2026, 3, 29),
    date(2026, 4, 5),
    date(2026, 10, 4),
    date(2026, 10, 25),
    date(2026, 11, 1),
    date(2026, 12, 31),
    date(2027, 1, 1),
    date(2027, 3, 14),
    date(2027, 3, 28),
    date(2027, 4, 4),
    date(2027, 10, 3),
    date(2027, 10, 31),
    date(2027, 11, 7),
)
NAMES = ("a", "b", "c", "d")
ACTIVITIES = {name: Activity(id=name, text={Locale.EN: name}) for name in NAMES}

# Small hours and round times come often: that is where clocks change and where entries touch.
_times = st.builds(time, st.one_of(st.integers(0, 3), st.integers(0, 23)), st.sampled_from([0, 0, 15, 30, 45, 59, 1]))
_spans = st.builds(Span, activity=st.sampled_from(NAMES), start=_times, end=_times, priority=st.integers(0, 2))
_days = st.frozensets(st.sampled_from(Weekday), min_size=1)
_weekly = st.builds(WeeklyEntry, days=_days, span=_spans, on_holidays=st.sampled_from(HolidayRule))
_dates = st.one_of(st.sampled_from(NOTABLE), st.dates(FIRST, LAST))


@st.composite
def _exceptions(draw: st.DrawFn) -> DatedException:
    day = draw(_dates)
    return DatedException(
        year=draw(st.sampled_from([None, day.year])),
        month=day.month,
        day=day.day,
        cancel=frozenset(draw(st.sets(st.sampled_from([*NAMES, "*"]), max_size=2))),
        add=tuple(draw(st.lists(_spans, max_size=2))),
    )


_schedules = st.builds(
    Schedule,
    activities=st.just(ACTIVITIES),
    weekly=st.lists(_weekly, max_size=7).map(tuple),
    exceptions=st.lists(_exceptions(), max_size=3).map(tuple),
)


def _as_answer(state: ScheduleState) -> Answer:
    following = state.upcoming
    return Answer(
        activity=None if state.activity is None else state.activity.id,
        began=state.began,
        ends=state.ends,
        upcoming=None if following is None else (following.activity.id, following.begins),
    )


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    schedule=_schedules,
    zone=st.sampled_from([*ZONES, MIDNIGHT_ZONE]).map(ZoneInfo),
    day=_dates,
    minutes=st.lists(st.integers(-120, 26 * 60), min_size=1, max_size=6),
)
def test_any_moment_is_told_as_it_is_painted(schedule: Schedule, zone: ZoneInfo, day: date, minutes: list[int]) -> None:
    painting = Painting(schedule, zone, day - (HORIZON_DAYS + 2) * DAY, 2 * HORIZON_DAYS + 6, HOLIDAY_DATES)
    timetable = Timetable(schedule, zone, HOLIDAYS)
    midnight = datetime.combine(day, time(), tzinfo=zone).astimezone(UTC)
    for minute in minutes:
        moment = midnight + minute * MINUTE
        told = timetable.at(moment)
        assert _as_answer(told) == painting.answer(painting.index(moment), HORIZON_DAYS), moment


WEEK = Schedule(
    activities=ACTIVITIES,
    weekly=(
        WeeklyEntry(days=frozenset(Weekday), span=Span(activity="a", start=time(23, 30), end=time(7))),
        WeeklyEntry(
            days=frozenset({Weekday.MON, Weekday.TUE, Weekday.WED, Weekday.FRI}),
            span=Span(activity="b", start=time(9), end=time(17, 30)),
            on_holidays=HolidayRule.SKIP,
        ),
        WeeklyEntry(days=frozenset(Weekday), span=Span(activity="c", start=time(12), end=time(13), priority=1)),
        WeeklyEntry(days=frozenset({Weekday.SUN}), span=Span(activity="d", start=time(1, 15), end=time(2, 45))),
        WeeklyEntry(
            days=frozenset({Weekday.SAT}),
            span=Span(activity="d", start=time(10), end=time(10)),
            on_holidays=HolidayRule.ALSO,
        ),
    ),
    exceptions=(
        DatedException(
            year=None,
            month=12,
            day=31,
            cancel=frozenset({"*"}),
            add=(Span(activity="b", start=time(20), end=time(3)),),
        ),
        DatedException(year=2026, month=10, day=25, add=(Span(activity="c", start=time(0, 30), end=time(1, 30)),)),
    ),
)


@pytest.mark.parametrize("name", ZONES)
def test_every_minute_of_two_years_is_told_as_it_is_painted(name: str) -> None:
    zone = ZoneInfo(name)
    days = (LAST - FIRST).days + 1
    painting = Painting(WEEK, zone, FIRST - DAY, days + 2, HOLIDAY_DATES)
    timetable = Timetable(WEEK, zone, HOLIDAYS)
    index, end = painting.first_minute(FIRST), painting.first_minute(LAST + DAY)
    while index < end:
        state = timetable.at(painting.moment(index))
        assert state.ends is not None
        until = min(end, painting.index(state.ends))
        told = state.activity.id if state.activity else None
        assert painting.colours(index, until) == {told}, painting.moment(index)
        assert until == end or painting.colour(until) != told
        index = until


def test_seconds_are_told_like_the_minute_they_lie_in() -> None:
    timetable = Timetable(WEEK, ZoneInfo("Asia/Tokyo"), HOLIDAYS)
    moment = datetime(2026, 11, 30, 3, 30, tzinfo=UTC)
    assert _as_answer(timetable.at(moment + timedelta(seconds=59.9))) == _as_answer(timetable.at(moment))
