"""The file of real places: complete where it is shipped, and refused with file, line and reason where it is broken."""

from datetime import date
from pathlib import Path

import pytest

from core.stance.resources import ResourceError, Resources, Topic, country_of
from core.values import Locale

SHIPPED = Path(__file__).parents[3] / "data/resources/resources.toml"
GOOD = """# first line
[[resource]]
country = "JP"
topics = ["crisis"]
name.ja = "窓口"
name.en = "Line"
phone = "0"
hours = "24h"
source = "https://example.org/"
checked = "2026-01-31"
"""


@pytest.mark.parametrize("country", ["JP", "US", "GB", "CA", "AU", "IE", "NZ", "*"])
def test_every_shipped_country_has_an_emergency_and_a_crisis_line(country: str) -> None:
    entries = [entry for entry in Resources.load(SHIPPED).entries if entry.country == country]
    assert {Topic.EMERGENCY, Topic.CRISIS} <= {topic for entry in entries for topic in entry.topics}


def test_every_shipped_line_has_a_source_and_a_day() -> None:
    for entry in Resources.load(SHIPPED).entries:
        assert entry.source.startswith("https://")
        assert date(2026, 1, 1) <= entry.checked


def test_places_come_in_the_order_of_the_topics() -> None:
    found = Resources.load(SHIPPED).find((Topic.EMERGENCY, Topic.CRISIS), "US")
    assert [entry.phone for entry in found] == ["911", "988", None]
    assert [entry.line(Locale.EN) for entry in found][2].startswith("Crisis Text Line: text HOME to 741741")


def test_a_place_reads_naturally_in_japanese(tmp_path: Path) -> None:
    path = tmp_path / "places.toml"
    path.write_text(GOOD, "utf-8")
    (entry,) = Resources.load(path).entries
    assert entry.line(Locale.JA) == "窓口：0"


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('"JP"', '"Japan"', "country must be"),
        ('phone = "0"', "", "phone, text or url"),
        ('["crisis"]', '["cheer"]', "topics"),
        ('["crisis"]', '"crisis"', "topics must be a list"),
        ('"2026-01-31"', '"yesterday"', "checked must be a day"),
        ('name.en = "Line"', "", "en must be a text"),
        ('hours = "24h"', 'opening = "24h"', "unknown key opening"),
    ],
)
def test_a_broken_place_is_refused_with_its_line(tmp_path: Path, old: str, new: str, reason: str) -> None:
    path = tmp_path / "places.toml"
    path.write_text(GOOD.replace(old, new), "utf-8")
    with pytest.raises(ResourceError, match=rf"places\.toml:2: .*{reason}"):
        Resources.load(path)


@pytest.mark.parametrize("text", ["", "[[resource]\n", "resource = 1\n"])
def test_a_file_without_places_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "places.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(ResourceError, match=r"places\.toml"):
        Resources.load(path)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match=r"none\.toml: can't be read \(No such file or directory\)$"):
        Resources.load(tmp_path / "none.toml")


TWO = GOOD + GOOD.replace("# first line\n", "").replace('"JP"', '"Japan"').replace("窓口", "べつの窓口")


def own(tmp_path: Path, text: str) -> Resources:
    path = tmp_path / "own.toml"
    path.write_text(text, "utf-8")
    return Resources.load(SHIPPED).with_own(path)


def test_the_operators_places_come_before_the_shipped_ones(tmp_path: Path) -> None:
    places = own(tmp_path, GOOD)
    assert [entry.name[Locale.JA] for entry in places.find((Topic.CRISIS,), "JP")] == ["窓口"]
    assert [entry.phone for entry in places.find((Topic.EMERGENCY,), "US")] == ["911"]
    assert places.ignored == ()


def test_a_broken_entry_of_the_operator_is_left_out_and_told_with_its_line(tmp_path: Path) -> None:
    places = own(tmp_path, TWO)
    assert [entry.name[Locale.JA] for entry in places.entries] == ["窓口"]
    (fault,) = places.ignored
    assert fault.endswith("own.toml:11: country must be two capital letters or *")


@pytest.mark.parametrize("heading", ["[[ resource ]]", "[[resource]]  # ours", "  [[resource]]"])
def test_the_line_is_right_however_the_heading_is_written(tmp_path: Path, heading: str) -> None:
    (fault,) = own(tmp_path, TWO.replace("[[resource]]", heading)).ignored
    assert "own.toml:11: " in fault


def test_entries_in_one_line_are_read_too(tmp_path: Path) -> None:
    (fault,) = own(tmp_path, 'resource = [{country = "JP"}]\n').ignored
    assert "own.toml:1: " in fault


@pytest.mark.parametrize(
    ("text", "where"), [("", "own.toml:1: "), ("\n[[resource]\n", "own.toml:2: "), ("resource = 1\n", "own.toml:1: ")]
)
def test_a_file_of_the_operator_that_is_none_leaves_the_shipped_places(tmp_path: Path, text: str, where: str) -> None:
    places = own(tmp_path, text)
    (fault,) = places.ignored
    assert where in fault
    found, shipped = (some.find((Topic.CRISIS,), "JP") for some in (places, Resources.load(SHIPPED)))
    assert [entry.line(Locale.JA) for entry in found] == [entry.line(Locale.JA) for entry in shipped]


def test_a_file_of_the_operator_that_is_missing_is_told(tmp_path: Path) -> None:
    (fault,) = Resources.load(SHIPPED).with_own(tmp_path / "none.toml").ignored
    assert "none.toml" in fault


@pytest.mark.parametrize(
    ("locale", "tag", "country"),
    [(Locale.JA, None, "JP"), (Locale.EN, None, None), (Locale.EN, "en-GB", "GB"), (Locale.EN, "en_us", "US")],
)
def test_the_country_follows_the_tag_then_the_language(locale: Locale, tag: str | None, country: str | None) -> None:
    assert country_of(locale, tag) == country
