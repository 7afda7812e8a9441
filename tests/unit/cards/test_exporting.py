"""A card that was imported comes out as it went in; what was changed in the pack comes out changed."""

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import CardError
from data.cards.container import read_file
from data.cards.exporting import export_card
from data.cards.importing import import_card
from data.cards.normal import normalised
from data.packs.loader import load_pack
from tests.unit.cards.cards import book, encoded, entry, file, png, text_chunk, v2, v3

TEXTS = st.text(max_size=40) | st.sampled_from(
    ["{{char}} waits.", "It is 14:30. Old.", "a\r\nb\\\"'", "## Personality\n"]
)
ENTRIES = st.builds(
    lambda content, keys, rules: entry(content, *keys, **rules),
    TEXTS,
    st.lists(TEXTS, max_size=3),
    st.fixed_dictionaries(
        {},
        optional={
            "enabled": st.booleans(),
            "constant": st.booleans(),
            "case_sensitive": st.booleans(),
            "selective": st.booleans(),
            "secondary_keys": st.lists(TEXTS, max_size=2),
            "insertion_order": st.integers(-(10**9), 10**9),
            "priority": st.integers(-5, 5),
            "position": st.sampled_from(["before_char", "after_char"]),
            "use_regex": st.booleans(),
            "name": TEXTS,
        },
    ),
)
CARDS = st.builds(
    v3,
    name=st.text(min_size=1, max_size=50).filter(str.strip),
    description=TEXTS,
    personality=TEXTS,
    scenario=TEXTS,
    first_mes=TEXTS,
    mes_example=TEXTS,
    alternate_greetings=st.lists(TEXTS, max_size=3),
    tags=st.lists(TEXTS, max_size=4),
    character_book=st.builds(
        lambda entries, depth, budget: book(*entries, scan_depth=depth, token_budget=budget),
        st.lists(ENTRIES, max_size=4),
        st.integers(-5, 500),
        st.integers(-5, 10**7),
    ),
)


def made(folder: Path, card: dict[str, Any]) -> Path:
    return import_card(file(folder, "card.json", card), folder / "packs", timezone="UTC", name="it", locale=None).folder


def data_of(path: Path) -> dict[str, Any]:
    return normalised(read_file(path).card, [])


@settings(max_examples=30, deadline=None)
@given(card=CARDS, form=st.sampled_from(["json", "png"]))
def test_a_card_comes_out_as_it_went_in(card: dict[str, Any], form: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        out = folder / f"out.{form}"
        export_card(made(folder, card), out, overwrite=False)

        assert data_of(out) == normalised(card, [])


def test_a_written_picture_is_a_picture_with_both_kinds_of_card(tmp_path: Path) -> None:
    original = file(tmp_path, "a.png", png(text_chunk("chara", encoded(v2()))))
    pack = import_card(original, tmp_path, timezone="UTC", name=None, locale=None).folder
    export_card(pack, tmp_path / "out.png", overwrite=False)
    held = (tmp_path / "out.png").read_bytes()

    assert held.count(b"chara\0") == held.count(b"ccv3\0") == 1
    assert read_file(tmp_path / "out.png").portrait == (pack / "portrait.png").read_bytes()


def test_what_was_changed_in_the_pack_comes_out_changed_and_the_rest_as_it_was(tmp_path: Path) -> None:
    pack = made(tmp_path, v3(character_book=book(entry("{{char}} owns it.", "quay"))))
    personality = pack / "personality.en.md"
    personality.write_text(personality.read_text("utf-8").replace("calm, curious", "bold"), "utf-8")
    lore = pack / "lore.en.toml"
    lore.write_text(lore.read_text("utf-8").replace("owns it", "lost it") + "scan_depth = 2\n", "utf-8")
    export_card(pack, tmp_path / "out.json", overwrite=False)
    data = data_of(tmp_path / "out.json")

    assert (data["personality"], data["scenario"]) == ("bold", "A harbour town.")
    assert data["first_mes"] == "Oh, {{user}}! Come in."
    (changed,) = data["character_book"]["entries"]
    assert (changed["content"], changed["keys"]) == ("@@scan_depth 2\nAqua lost it.", ["quay"])


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """A pack that somebody wrote by hand."""
    folder = tmp_path / "sora"
    folder.mkdir()
    (folder / "character.toml").write_text(
        'name = "sora"\nlocale = "ja"\ntimezone = "Asia/Tokyo"\ntags = ["sea"]\n'
        'display_name.ja = "そら"\nintroduction.ja = "AIです。"\n',
        "utf-8",
    )
    (folder / "personality.ja.md").write_text("凧が好き。", "utf-8")
    (folder / "schedule.toml").write_text('[activity.work]\ntext.ja = "仕事中"\n', "utf-8")
    (folder / "lore.ja.toml").write_text('[[entry]]\nkeys = ["港"]\ntext = "灰色の埠頭。"\nscan_depth = 2\n', "utf-8")
    return folder


def test_a_pack_that_never_was_a_card_becomes_one(tmp_path: Path, written: Path) -> None:
    notes = export_card(written, tmp_path / "out.png", overwrite=False)
    again = import_card(tmp_path / "out.png", tmp_path / "x", timezone="UTC", name="sora", locale=None).folder
    before, after = (load_pack(folder).character for folder in (written, again))

    assert (after.personality, after.display_name, after.tags) == (before.personality, before.display_name, before.tags)
    assert after.lore == before.lore
    assert any("schedule" in note for note in notes)


def test_a_file_is_replaced_only_when_asked(tmp_path: Path, written: Path) -> None:
    out = tmp_path / "a.json"
    out.write_text("mine")
    with pytest.raises(CardError, match="--force"):
        export_card(written, out, overwrite=False)
    assert out.read_text() == "mine"

    export_card(written, out, overwrite=True)
    assert json.loads(out.read_text("utf-8"))["spec"] == "chara_card_v3"


def test_a_name_that_ends_in_something_else_is_refused(tmp_path: Path, written: Path) -> None:
    with pytest.raises(CardError, match=r"\.json or \.png"):
        export_card(written, tmp_path / "a.webp", overwrite=False)
