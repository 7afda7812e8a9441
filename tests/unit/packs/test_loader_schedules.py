from collections.abc import Callable
from pathlib import Path

import pytest

from data.packs.loader import load_pack
from tests.unit.packs.conftest import Found
from tests.unit.packs.files import write

Problems = Callable[[Path], Found]


@pytest.mark.parametrize(
    ("toml", "line", "text"),
    [
        ('[[weekly]]\nactivity = "nap"\ndays = ["mon"]\nstart = "1:00"\nend = "2:00"', 5, "no [activity.nap]"),
        ('[[weekly]]\nactivity = "tea"\ndays = ["mo"]\nstart = "1:00"\nend = "2:00"', 6, "'weekly[1].days[1]' must be"),
        ('[[weekly]]\nactivity = "tea"\ndays = []\nstart = "1:00"\nend = "2:00"', 6, "must hold at least 1"),
        ('[[weekly]]\nactivity = "tea"\ndays = ["mon"]\nstart = "1:00"', 4, "'weekly[1].end' is missing"),
        ('[[weekly]]\nactivity = "tea"\ndays = ["mon"]\nstart = "1:00"\nend = "24:00"', 8, 'midnight is "00:00"'),
        ('[[exception]]\ndate = "2027-02-29"\ncancel = ["*"]', 5, "must be a date"),
        ('[[exception]]\ndate = "02-30"\ncancel = ["*"]', 5, "must be a date"),
        ('[[exception]]\ndate = "12-31"', 4, "changes nothing"),
        ('[[exception]]\ndate = "12-31"\ncancel = ["nap"]', 6, "'cancel' names 'nap'"),
        ('[[exception]]\ndate = "12-31"\ncancel = ["*"]\n[[exception]]\ndate = "12-31"\ncancel = ["tea"]', 8, "line 4"),
        ("[activity.Nap]\ntext.en = 'a nap'", 4, "must be at most 48 of a-z"),
        ("[activity.nap]\ntext.xx = 'a nap'", 5, "'activity.nap.text.xx' must be one of 'ja' or 'en'"),
        ("[activity.nap]\ntags = []", 4, "'activity.nap.text' is missing"),
        ("[activity.nap]\ntext.en = ''", 5, "must not be empty"),
        ("[activity.nap]\ntxt.en = 'a nap'\ntext.en = 'x'", 5, "did you mean 'text'"),
    ],
)
def test_fault_in_a_schedule_has_its_line(small: Path, problems: Problems, toml: str, line: int, text: str) -> None:
    write(small, "schedule.toml", f'# the week\n[activity.tea]\ntext.en = "tea"\n{toml}\n')

    found = problems(small)

    assert any(file == "schedule.toml" and where == line and text in message for file, where, message in found), found


def week(*entries: tuple[str, str, str, str, int]) -> str:
    text = "".join(f'[activity.{name}]\ntext.en = "{name}"\n' for name in sorted({entry[0] for entry in entries}))
    for name, days, start, end, priority in entries:
        text += (
            f'[[weekly]]\nactivity = "{name}"\ndays = {days}\nstart = "{start}"\nend = "{end}"\npriority = {priority}\n'
        )
    return text


@pytest.mark.parametrize(
    "entries",
    [
        [("tea", '["mon"]', "09:00", "11:00", 0), ("tea", '["mon"]', "10:00", "12:00", 5)],
        [("tea", '["mon"]', "23:00", "02:00", 0), ("tea", '["tue"]', "01:00", "03:00", 0)],
        [("tea", '["sun"]', "23:00", "02:00", 0), ("tea", '["mon"]', "01:00", "03:00", 0)],
        [("tea", '["mon", "mon"]', "09:00", "10:00", 0)],
    ],
    ids=["same-day", "over-midnight", "over-the-week-end", "day-twice"],
)
def test_activity_that_overlaps_itself_is_refused(
    small: Path, problems: Problems, entries: list[tuple[str, str, str, str, int]]
) -> None:
    write(small, "schedule.toml", week(*entries))

    ((_, _, message),) = problems(small)

    assert "'tea' overlaps itself" in message


def test_two_activities_may_overlap_unless_nothing_decides_between_them(small: Path, problems: Problems) -> None:
    tea, run = ("tea", '["mon"]', "09:00", "11:00", 0), ("run", '["mon", "tue"]', "09:00", "10:00", 1)
    write(small, "schedule.toml", week(tea, run))
    assert len(load_pack(small).schedule.weekly) == 2

    write(small, "schedule.toml", week(tea, (*run[:4], 0)))

    ((_, line, message),) = problems(small)
    assert "'run' begins at the same time as 'tea' on line 5" in message
    assert line == 14


@pytest.mark.parametrize("file", ["schedule.toml", "schedule.ics"])
def test_a_schedule_that_cannot_be_read_is_told_once(small: Path, problems: Problems, file: str) -> None:
    write(small, "candidates.en.toml", '[[scheduled]]\nid = "a"\nactivity = "x"\nwindow = "during"\ntext = "x"\n')
    write(small, file, "[[[\n")

    assert [name for name, _, _ in problems(small)] == [file]


def test_activity_that_never_takes_place_is_noted(small: Path) -> None:
    write(small, "schedule.toml", '# week\n[activity.nap]\ntext.en = "a nap"\n')

    (warning,) = load_pack(small).warnings

    assert str(warning) == "sora/schedule.toml:2: activity 'nap' never takes place"


HOLIDAY_WEEK = """
holidays = "{place}"
[activity.tea]
text.en = "tea"
[activity.run]
text.en = "a run"
[[weekly]]
activity = "tea"
days = ["mon"]
start = "09:00"
end = "10:00"
on_holidays = "{tea}"
[[weekly]]
activity = "run"
days = ["mon"]
start = "09:00"
end = "10:00"
on_holidays = "{run}"
"""


def test_holidays_of_a_schedule_are_read(small: Path) -> None:
    write(small, "schedule.toml", HOLIDAY_WEEK.format(place="IT", tea="skip", run="only"))
    schedule = load_pack(small).schedule
    assert schedule.holidays == "IT"
    assert [entry.on_holidays for entry in schedule.weekly] == ["skip", "only"]


@pytest.mark.parametrize(("tea", "run"), [("ignore", "only"), ("skip", "ignore"), ("only", "also"), ("skip", "also")])
def test_entries_that_meet_on_some_kind_of_day_are_still_ties(
    small: Path, problems: Problems, tea: str, run: str
) -> None:
    write(small, "schedule.toml", HOLIDAY_WEEK.format(place="IT", tea=tea, run=run))
    ((file, line, message),) = problems(small)
    assert (file, line) == ("schedule.toml", 16)
    assert "begins at the same time as 'tea' on line 7" in message


def test_a_place_without_known_holidays_is_refused(small: Path, problems: Problems) -> None:
    write(small, "schedule.toml", HOLIDAY_WEEK.format(place="Italy", tea="skip", run="only"))
    ((_, line, message),) = problems(small)
    assert line == 2
    assert message == (
        "'holidays' is not a country whose holidays are known (did you mean 'IT'?); examples are 'JP' and 'US-CA'"
    )


def test_a_holiday_rule_without_a_country_is_refused(small: Path, problems: Problems) -> None:
    text = HOLIDAY_WEEK.format(place="IT", tea="skip", run="only").replace('holidays = "IT"\n', "\n", 1)
    write(small, "schedule.toml", text)
    assert [line for _, line, _ in problems(small)] == [12, 18]


@pytest.mark.parametrize("text", ["the 9:30 lesson", "lunch at noon", "6時のラジオ体操"])
def test_an_activity_that_names_a_time_is_refused(small: Path, problems: Problems, text: str) -> None:
    write(small, "schedule.toml", f'[activity.tea]\ntext.en = "{text}"\n')
    ((_, line, message),) = problems(small)
    assert line == 2
    assert "names a time on the clock" in message


def test_faulty_entry_does_not_hide_the_faults_of_others(small: Path, problems: Problems) -> None:
    write(
        small,
        "schedule.toml",
        week(("tea", '["mon"]', "09:00", "99:00", 0), ("run", '["mon"]', "09:00", "10:00", 0)).replace(
            'activity = "run"', 'activity = "rum"'
        ),
    )

    assert [(line, message.split(";")[0]) for _, line, message in problems(small)][1] == (
        12,
        "there is no [activity.rum]",
    )
