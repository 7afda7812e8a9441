import re
from pathlib import Path

from core.values import Locale
from data.packs.loader import load_pack

PAGE = Path(__file__).parents[3] / "docs" / "characters.md"


def test_example_of_the_documentation_is_a_valid_pack(tmp_path: Path) -> None:
    character, schedule, candidates = re.findall(r"```toml\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    folder = tmp_path / "sora"
    folder.mkdir()
    (folder / "character.toml").write_text(character, "utf-8")
    (folder / "schedule.toml").write_text(schedule, "utf-8")
    (folder / "candidates.en.toml").write_text(candidates, "utf-8")
    (folder / "personality.en.md").write_text("Likes kites.", "utf-8")

    pack = load_pack(folder)

    assert pack.warnings == ()
    assert len(pack.schedule.weekly) == 2
    assert len(pack.candidates[Locale.EN]) == 2


def test_examples_of_schedules_are_valid(small: Path) -> None:
    page = PAGE.with_name("schedule.md").read_text("utf-8")
    (toml,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    (calendar,) = re.findall(r"```\n(BEGIN:VCALENDAR.*?)```", page, re.DOTALL)

    (small / "schedule.toml").write_text(toml, "utf-8")
    week = load_pack(small)
    (small / "schedule.toml").unlink()
    (small / "schedule.ics").write_text(calendar, "utf-8")
    events = load_pack(small)

    assert week.warnings == events.warnings == ()
    assert week.schedule.holidays == "JP"
    assert events.schedule.holidays == "IT"
    assert set(events.schedule.activities) == {"night", "cafe"}
    assert set(events.schedule.activities["cafe"].text) == set(Locale)
