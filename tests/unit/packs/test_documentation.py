import re
from pathlib import Path

import pytest

from core.values import Locale
from data.packs.loader import load_pack

DOCS = Path(__file__).parents[3] / "docs"
PAGES = [("characters.md", "schedule.md", Locale.EN), ("characters.ja.md", "schedule.ja.md", Locale.JA)]


@pytest.mark.parametrize(("name", "_", "locale"), PAGES)
def test_example_of_the_documentation_is_a_valid_pack(name: str, _: str, locale: Locale, tmp_path: Path) -> None:
    page = (DOCS / name).read_text("utf-8")
    character, schedule, candidates = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    folder = tmp_path / "sora"
    folder.mkdir()
    (folder / "character.toml").write_text(character, "utf-8")
    (folder / "schedule.toml").write_text(schedule, "utf-8")
    (folder / f"candidates.{locale}.toml").write_text(candidates, "utf-8")
    (folder / f"personality.{locale}.md").write_text("Likes kites.", "utf-8")

    pack = load_pack(folder)

    assert pack.warnings == ()
    assert len(pack.schedule.weekly) == 2
    assert len(pack.candidates[locale]) == 2


@pytest.mark.parametrize(("_", "name", "locale"), PAGES)
def test_examples_of_schedules_are_valid(_: str, name: str, locale: Locale, small: Path) -> None:
    page = (DOCS / name).read_text("utf-8")
    about = small / "character.toml"
    about.write_text(about.read_text("utf-8").replace('"en"', f'"{locale}"').replace(".en =", f".{locale} ="), "utf-8")
    (small / "personality.en.md").rename(small / f"personality.{locale}.md")
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
