import tempfile
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.characters.pack import CharacterPack
from core.facts.schedule.occurrence import Occurrence
from core.facts.schedule.timetable import Timetable
from core.values import Locale
from data.packs.files import PackFolder
from data.packs.ical import read_calendar
from data.packs.loader import load_pack
from tests.unit.packs.conftest import Found

ROME = ZoneInfo("Europe/Rome")
Problems = Callable[[Path], Found]


def calendar(*events: str, head: str = "") -> str:
    body = "".join(f"BEGIN:VEVENT\n{event.strip()}\nEND:VEVENT\n" for event in events)
    return f"BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//Yorisoi//EN\n{head}{body}END:VCALENDAR\n".replace("\n", "\r\n")


def write(folder: Path, text: str) -> Path:
    (folder / "schedule.ics").write_bytes(text.encode())
    return folder


def table_of(folder: Path, *events: str, head: str = "") -> Timetable:
    pack: CharacterPack = load_pack(write(folder, calendar(*events, head=head)))
    return Timetable.of(pack.schedule, pack.character.timezone)


def doing(table: Timetable, at: str, zone: ZoneInfo = ROME) -> str | None:
    state = table.at(datetime.fromisoformat(at).replace(tzinfo=zone))
    return state.activity.id if state.activity else None


LESSON = """
UID:lesson
SUMMARY:a sailing lesson
DTSTART:20260105T090000
DTEND:20260105T103000
RRULE:FREQ=WEEKLY;BYDAY=MO
"""


def test_a_rule_is_followed_in_the_characters_zone(small: Path) -> None:
    table = table_of(small, LESSON)
    assert doing(table, "2026-01-05T09:00") == "lesson"
    assert doing(table, "2026-07-06T09:00") == "lesson"  # summer time: still nine on the wall
    assert doing(table, "2028-11-27T10:29") == "lesson"
    assert doing(table, "2028-11-27T10:30") is None
    assert doing(table, "2028-11-28T09:30") is None
    assert doing(table, "2025-12-29T09:30") is None


def test_excluded_and_added_dates_count(small: Path) -> None:
    table = table_of(small, LESSON + "EXDATE:20260112T090000\nRDATE:20260114T200000\n")
    assert doing(table, "2026-01-12T09:30") is None
    assert doing(table, "2026-01-14T20:30") == "lesson"
    assert doing(table, "2026-01-19T09:30") == "lesson"


def test_a_zone_of_its_own_moves_an_event_on_the_characters_clock(small: Path) -> None:
    table = table_of(
        small,
        "UID:call\nSUMMARY:a call with a cousin overseas\nDTSTART;TZID=America/New_York:20260301T120000\n"
        "DURATION:PT1H\nRRULE:FREQ=WEEKLY",
    )
    assert doing(table, "2026-03-01T18:30") == "call"
    assert doing(table, "2026-03-15T17:30") == "call"  # summer time has begun over there, not here
    assert doing(table, "2026-03-15T18:30") is None
    assert doing(table, "2026-03-29T18:30") == "call"


def test_a_zone_described_in_the_file_is_understood(small: Path) -> None:
    zone = (
        "BEGIN:VTIMEZONE\nTZID:Ship\nBEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:+0500\nTZOFFSETTO:+0500\n"
        "END:STANDARD\nEND:VTIMEZONE\n"
    )
    event = "UID:watch\nSUMMARY:a watch on deck\nDTSTART;TZID=Ship:20260601T080000\nDTEND;TZID=Ship:20260601T120000"
    table = table_of(small, event, head=zone)
    assert doing(table, "2026-06-01T04:00", ZoneInfo("UTC")) == "watch"
    assert doing(table, "2026-06-01T07:00", ZoneInfo("UTC")) is None


def test_whole_days_are_the_characters_days(small: Path) -> None:
    table = table_of(
        small, "UID:trip\nSUMMARY:a trip to the islands\nDTSTART;VALUE=DATE:20260328\nDTEND;VALUE=DATE:20260330"
    )
    state = table.at(datetime(2026, 3, 28, 12, tzinfo=ROME))
    assert state.began == datetime(2026, 3, 28, tzinfo=ROME).astimezone(UTC)
    assert state.ends == datetime(2026, 3, 30, tzinfo=ROME).astimezone(UTC)
    assert state.ends - state.began == timedelta(hours=47)  # clocks go forward meanwhile


def test_a_day_without_end_lasts_one_day(small: Path) -> None:
    table = table_of(small, "UID:fast\nSUMMARY:a day without screens\nDTSTART;VALUE=DATE:20260328\nRRULE:FREQ=YEARLY")
    assert doing(table, "2027-03-28T23:59") == "fast"
    assert doing(table, "2027-03-29T00:00") is None


def test_one_occurrence_can_be_moved_renamed_or_cancelled(small: Path) -> None:
    table = table_of(
        small,
        LESSON,
        "UID:lesson\nRECURRENCE-ID:20260112T090000\nDTSTART:20260113T150000\nDTEND:20260113T160000",
        "UID:lesson\nRECURRENCE-ID:20260119T090000\nSUMMARY:a regatta\nDTSTART:20260119T090000\nDTEND:20260119T170000",
        "UID:lesson\nRECURRENCE-ID:20260126T090000\nSTATUS:CANCELLED\nDTSTART:20260126T090000\nDTEND:20260126T103000",
    )
    assert doing(table, "2026-01-12T09:30") is None
    assert doing(table, "2026-01-13T15:30") == "lesson"
    assert doing(table, "2026-01-19T16:00") == "lesson-20260119"
    assert doing(table, "2026-01-26T09:30") is None
    assert doing(table, "2026-02-02T09:30") == "lesson"


def test_titles_are_by_language_and_ids_and_tags_can_be_given(small: Path) -> None:
    event = """
UID:4f2@example.org
SUMMARY:whatever else
SUMMARY;LANGUAGE=en-GB:night sleep
X-YORISOI-TEXT-JA:睡眠
X-YORISOI-ACTIVITY:sleep
CATEGORIES:sleep,home
DTSTART:20260105T230000
DTEND:20260106T070000
RRULE:FREQ=DAILY
"""
    schedule = load_pack(write(small, calendar(event))).schedule
    assert list(schedule.activities) == ["sleep"]
    assert schedule.activities["sleep"].text == {Locale.JA: "睡眠", Locale.EN: "night sleep"}
    assert schedule.activities["sleep"].tags == ("sleep", "home")


def test_a_uid_becomes_an_id(small: Path) -> None:
    schedule = load_pack(write(small, calendar(LESSON.replace("UID:lesson", "UID:Ab_12@cal.example.org")))).schedule
    assert list(schedule.activities) == ["ab-12-cal-example-org"]


def test_of_events_at_once_the_more_important_holds(small: Path) -> None:
    other = LESSON.replace("UID:lesson", "UID:nap").replace("sailing lesson", "doze").replace("T09", "T08")
    table = table_of(small, LESSON, other + "PRIORITY:1\n")
    assert doing(table, "2026-01-05T09:30") == "nap"


def test_holidays_can_be_named_in_a_calendar_too(small: Path) -> None:
    table = table_of(small, LESSON, head="X-YORISOI-HOLIDAYS:IT\n")
    found = table.holiday_on(date(2026, 4, 25))
    assert found is not None
    assert found.country == "IT"


def test_candidates_may_be_tied_to_events(small: Path, problems: Problems) -> None:
    write(small, calendar(LESSON))
    candidates = '[[scheduled]]\nid = "a"\nactivity = "lesson"\nwindow = "during"\ntext = "Wind!"\n'
    (small / "candidates.en.toml").write_text(candidates, "utf-8")
    assert load_pack(small).candidates[Locale.EN][0].id == "a"
    (small / "candidates.en.toml").write_text(candidates.replace("lesson", "lessons"), "utf-8")
    assert problems(small) == [("candidates.en.toml", 3, "there is no activity 'lessons' in schedule.ics")]


def test_a_calendar_beside_a_week_is_refused(small: Path, problems: Problems) -> None:
    write(small, calendar(LESSON))
    (small / "schedule.toml").write_text("", "utf-8")
    assert problems(small) == [
        ("schedule.ics", None, "stands beside schedule.toml; a pack has one of the two: remove the other")
    ]


def test_a_title_is_wanted_in_every_language_of_the_pack(small: Path, problems: Problems) -> None:
    write(small, calendar(LESSON.replace("SUMMARY", "SUMMARY;LANGUAGE=ja")))
    assert problems(small) == [
        ("schedule.ics", 4, "activity 'lesson' has no title in 'en'; add X-YORISOI-TEXT-EN to its event")
    ]


# What to replace in the lesson, by what, the line of the problem, and part of its message.
FAULTS = [
    ("DTSTART:20260105T090000", "DTSTART:202601", 7, "event 'a sailing lesson': DTSTART must be a day like 20260105"),
    ("DTSTART:20260105T090000", "DTSTART:2026-01-05", 7, "event 'a sailing lesson': DTSTART can't be read"),
    ("RRULE:FREQ=WEEKLY;BYDAY=MO", "EXDATE:0900", 9, "EXDATE"),
    ("RRULE:FREQ=WEEKLY;BYDAY=MO", "RRULE:BYDAY=MO", 9, "RRULE has no FREQ"),
    ("RRULE:FREQ=WEEKLY;BYDAY=MO", "RRULE:FREQ=DAILY;INTERVAL=0", 9, "must be 1 or more"),
    ("RRULE:FREQ=WEEKLY;BYDAY=MO", "RRULE:FREQ=DAILY;BYHOUR=99", 9, "its recurrence can't be followed"),
    ("DTSTART:20260105T090000\n", "", 4, "event 'a sailing lesson': DTSTART is missing"),
    ("UID:lesson\n", "", 4, "event 'a sailing lesson': UID is missing"),
    ("SUMMARY:a sailing lesson\n", "", 4, "event 'lesson': has no title"),
    ("DTEND:20260105T103000\n", "", 7, "has no length; give it DTEND or DURATION"),
    ("DTEND:20260105T103000", "DTEND:20260105T083000", 8, "DTEND is not after DTSTART"),
    ("DTEND:20260105T103000", "DTEND;VALUE=DATE:20260106", 8, "not of the same kind"),
    ("DTEND:20260105T103000", "DURATION:-PT1H", 8, "DURATION must be more than nothing"),
    ("DTEND:20260105T103000", "DTEND;TZID=Europe/Roma:20260105T103000", 8, "a time zone 'Europe/Roma' that does not"),
    ("RRULE:FREQ=WEEKLY;BYDAY=MO", "RRULE:FREQ=SOMETIMES", 9, "RRULE can't be read"),
    ("RRULE:FREQ=WEEKLY;BYDAY=MO", "RRULE:FREQ=MINUTELY", 9, "repeats more often than daily"),
    ("RRULE:FREQ=WEEKLY;BYDAY=MO", "RRULE:FREQ=DAILY\nRRULE:FREQ=WEEKLY", 9, "RRULE stands there more than once"),
    ("RRULE:FREQ=WEEKLY;BYDAY=MO", "RRULE:FREQ=WEEKLY;UNTIL=2026", 9, "RRULE can't be read"),
    ("SUMMARY:a sailing lesson", "SUMMARY:the 9:30 lesson", 6, "its title names a time on the clock"),
    ("SUMMARY:a sailing lesson", f"SUMMARY:{'x' * 121}", 6, "its title is too long"),
    ("UID:lesson", "UID:lesson\nX-YORISOI-ACTIVITY:Not An Id", 6, "X-YORISOI-ACTIVITY must be at most 48"),
    ("UID:lesson", "UID:lesson\nPRIORITY:12", 6, "PRIORITY must be from 0 to 9"),
    ("UID:lesson", "UID:lesson\nhello there", 6, "is not a line of a calendar"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "line", "message"), FAULTS)
def test_a_fault_has_its_file_line_and_entry(
    small: Path, problems: Problems, old: str, new: str, line: int, message: str
) -> None:
    assert old in LESSON
    write(small, calendar(LESSON.strip().replace(old.strip("\n") + ("\n" if old.endswith("\n") else ""), new)))
    found = problems(small)
    assert [(name, at) for name, at, _ in found] == [("schedule.ics", line)], found
    assert message in found[0][2]


def test_every_fault_of_a_file_is_told(small: Path, problems: Problems) -> None:
    other = "UID:b\nSUMMARY:b\nDTSTART:20260105T090000"
    write(small, calendar(LESSON.replace("UID:lesson\n", ""), other, head="X-YORISOI-HOLIDAYS:Italy\n"))
    assert [line for _, line, _ in problems(small)] == [4, 5, 14]


def test_folded_lines_are_counted_as_they_stand(small: Path, problems: Problems) -> None:
    write(small, calendar("UID:a\nDESCRIPTION:long\n  and\nSUMMARY:a\nDTSTART:20260105T090000"))
    assert problems(small) == [("schedule.ics", 9, "event 'a': has no length; give it DTEND or DURATION")]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 1, "is not one calendar"),
        ("hello", 1, "is not a line of a calendar"),
        ("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nEND:VCALENDAR\r\n", 3, "END:VCALENDAR stands where END:VEVENT is due"),
        ("BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", 1, "holds 0 events"),
        ("BEGIN:VCALENDAR\r\n", 1, "BEGIN:VCALENDAR has no END:VCALENDAR"),
        (calendar(LESSON) * 2, 1, "is not one calendar"),
        (calendar(LESSON, head="X-YORISOI-HOLIDAYS:Italy\n"), 4, "X-YORISOI-HOLIDAYS: 'Italy' is not a country"),
    ],
)
def test_what_is_no_calendar_is_refused(small: Path, problems: Problems, text: str, line: int, message: str) -> None:
    write(small, text)
    found = problems(small)
    assert found[0][:2] == ("schedule.ics", line), found
    assert message in found[0][2]
    assert "\n" not in found[0][2]


def test_one_id_means_one_activity(small: Path, problems: Problems) -> None:
    write(small, calendar(LESSON, LESSON.replace("UID:lesson", "UID:LESSON").replace("a sailing", "a rowing")))
    message = (
        "event 'a rowing lesson': is the activity 'lesson' like the event on line 4, but has another title; "
        "give one of them an X-YORISOI-ACTIVITY of its own"
    )
    assert problems(small) == [("schedule.ics", 11, message)]


_LINES = [
    "BEGIN:VCALENDAR", "END:VCALENDAR", "BEGIN:VEVENT", "END:VEVENT", "UID:a", "UID:b", "SUMMARY:x", "SUMMARY:",
    "DTSTART:20260105T090000", "DTSTART;VALUE=DATE:20260105", "DTSTART;TZID=Europe/Rome:20260105T090000",
    "DTEND:20260105T100000", "DTEND:20260105T100000Z", "DTEND;VALUE=DATE:20260105", "DURATION:PT1H", "DURATION:P0D",
    "RRULE:FREQ=DAILY", "RRULE:FREQ=WEEKLY;COUNT=3", "RRULE:", "EXDATE:20260106T090000", "EXDATE;VALUE=DATE:20260106",
    "RDATE:20260107", "RDATE;VALUE=PERIOD:20260107T090000/PT2H", "RECURRENCE-ID:20260106T090000", "STATUS:CANCELLED",
    "RECURRENCE-ID;RANGE=THISANDFUTURE:20260106T090000", "PRIORITY:3", "PRIORITY:x", "CATEGORIES:a,b", "CATEGORIES:",
    "X-YORISOI-ACTIVITY:a", "SEQUENCE:2", " folded", "", "noise", "DTSTART;TZID=Nowhere:20260105T090000",
    "DTSTART:99990105T090000", "DTSTART:00010101T000000", "RRULE:FREQ=YEARLY;UNTIL=20300101",
]  # fmt: skip

_BEGINNINGS: list[list[str]] = [
    [],
    ["UID:a", "SUMMARY:x", "DTSTART:20260105T090000", "DTEND:20260105T100000"],
    ["UID:a", "SUMMARY:x", "DTSTART;TZID=America/New_York:20260105T090000", "DURATION:PT30H"],
    ["UID:b", "SUMMARY:y", "DTSTART;VALUE=DATE:20260105"],
    ["UID:a", "RECURRENCE-ID:20260106T090000", "DTSTART:20260108T090000", "DTEND:20260108T100000"],
]


def occurrences_in(text: str) -> Sequence[Occurrence]:
    with tempfile.TemporaryDirectory() as parent:
        found = read_calendar(PackFolder(write(Path(parent), text)), "schedule.ics", ROME)
    assert found is not None
    assert found.schedule.calendar is not None
    return found.schedule.calendar.overlapping(datetime(2025, 1, 1, tzinfo=UTC), datetime(2028, 1, 1, tzinfo=UTC))


@given(
    start=st.integers(0, 366 * 86_400).map(lambda passed: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=passed)),
    form=st.sampled_from(["DTSTART:%Y%m%dT%H%M%S", "DTSTART:%Y%m%dT%H%M%SZ", "DTSTART;VALUE=DATE:%Y%m%d"])
    | st.sampled_from(["Asia/Tokyo", "America/New_York", "Europe/Rome"]).map(
        lambda zone: f"DTSTART;TZID={zone}:%Y%m%dT%H%M%S"
    ),
    days=st.integers(1, 90),
)
@settings(max_examples=50, deadline=None)
def test_an_event_without_a_rule_takes_place_as_one_that_comes_once_by_its_rule(
    start: datetime, form: str, days: int
) -> None:
    event = f"UID:trip\nSUMMARY:a trip\n{start.strftime(form)}\nDURATION:P{days}D\n"
    (once,) = occurrences_in(calendar(event))
    assert occurrences_in(calendar(event + "RRULE:FREQ=YEARLY;COUNT=1\n")) == [once]
    assert once.end - once.start > timedelta(days=days) - timedelta(hours=2)


def test_a_single_event_that_is_cancelled_does_not_take_place() -> None:
    event = "UID:trip\nSUMMARY:a trip\nDTSTART:20260301T120000Z\nDURATION:PT1H\n"
    assert len(occurrences_in(calendar(event))) == 1
    assert occurrences_in(calendar(event + "STATUS:CANCELLED\n")) == []


@given(
    body=st.lists(
        st.tuples(st.sampled_from(_BEGINNINGS), st.lists(st.sampled_from(_LINES[4:]), max_size=3)).map(
            lambda event: [*event[0], *event[1]]
        ),
        max_size=3,
    ),
    noise=st.lists(st.sampled_from(_LINES), max_size=2),
)
def test_any_calendar_ends_with_a_schedule_or_a_list_of_problems(body: list[list[str]], noise: list[str]) -> None:
    with tempfile.TemporaryDirectory() as parent:
        folder = PackFolder(Path(parent))
        write(Path(parent), calendar(*("\n".join(lines) for lines in body)) + "\r\n".join(noise))
        found = read_calendar(folder, "schedule.ics", ROME)
        assert (found is None) == bool(folder.problems)
        if found is not None:
            Timetable.of(found.schedule, "Europe/Rome").at(datetime(2026, 1, 6, 8, 30, tzinfo=UTC))
