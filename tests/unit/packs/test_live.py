"""The live schedule: an edit is seen, and a broken one keeps anything from being said."""

import os
import shutil
from pathlib import Path

import pytest

from core.errors import ScheduleUnavailableError
from core.facts.schedule.timetable import Timetable
from data.packs.live import LiveTimetable
from tests.unit.packs.files import append, write

TEA = '[activity.tea]\ntext.en = "tea"\n[[weekly]]\nactivity = "tea"\ndays = ["mon"]\nstart = "10:00"\nend = "11:00"\n'


async def activities(live: LiveTimetable) -> set[str]:
    timetable = await live.current()
    assert isinstance(timetable, Timetable)
    return set(timetable._schedule.activities)


async def test_an_edit_is_seen_without_a_restart(small: Path) -> None:
    live = LiveTimetable(small)
    assert await live.current() is None

    write(small, "schedule.toml", TEA)
    assert await activities(live) == {"tea"}

    append(small, "schedule.toml", '[activity.nap]\ntext.en = "a nap"\n')
    assert await activities(live) == {"tea", "nap"}

    (small / "schedule.toml").unlink()
    assert await live.current() is None


async def test_what_did_not_change_is_not_read_again(small: Path) -> None:
    write(small, "schedule.toml", TEA)
    live = LiveTimetable(small)

    assert await live.current() is await live.current()


async def test_a_file_that_was_replaced_by_one_of_the_same_time_and_size_is_seen(small: Path) -> None:
    write(small, "schedule.toml", TEA)
    live = LiveTimetable(small)
    await live.current()
    moment = (small / "schedule.toml").stat().st_mtime_ns

    write(small, "new", TEA.replace("tea", "nap"))
    os.utime(small / "new", ns=(moment, moment))
    (small / "new").rename(small / "schedule.toml")

    assert await activities(live) == {"nap"}


@pytest.mark.parametrize("broken", ["[[weekly", '[[weekly]]\nactivity = "nobody"\n', "x" * 2_000_000])
async def test_a_broken_edit_fails_closed_until_it_is_mended(small: Path, broken: str) -> None:
    write(small, "schedule.toml", TEA)
    live = LiveTimetable(small)
    await live.current()

    write(small, "schedule.toml", broken)
    for _ in range(2):
        with pytest.raises(ScheduleUnavailableError):
            await live.current()

    write(small, "schedule.toml", TEA + "\n")
    assert await activities(live) == {"tea"}


async def test_a_folder_that_is_gone_fails_closed(small: Path) -> None:
    write(small, "schedule.toml", TEA)
    live = LiveTimetable(small)
    await live.current()

    shutil.move(small, small.with_name("elsewhere"))

    with pytest.raises(ScheduleUnavailableError):
        await live.current()
