"""Cards as they are found in the wild become packs that can be used."""

import io
import json
import tomllib
import zipfile
from pathlib import Path

import pytest

from core.lore.book import LorePlace
from core.values import Locale
from data.cards.importing import Imported, import_card
from data.packs.loader import load_pack
from tests.unit.cards.cards import Card, book, encoded, entry, file, png, text_chunk, v2, v3


def imported(folder: Path, path: Path, *, name: str | None = None, locale: Locale | None = None) -> Imported:
    return import_card(path, folder / "packs", timezone="Asia/Tokyo", name=name, locale=locale)


def of_card(folder: Path, card: Card) -> Imported:
    return imported(folder, file(folder, "card.json", card))


def test_a_card_becomes_a_valid_pack_with_its_placeholders_filled_in(tmp_path: Path) -> None:
    made = of_card(tmp_path, v2())
    character = load_pack(made.folder).character

    assert (character.name, character.display_name, character.tags) == ("aqua", {Locale.EN: "Aqua"}, ("sea", "calm"))
    assert character.timezone == "Asia/Tokyo"
    assert character.personality[Locale.EN] == (
        "Aqua keeps the lighthouse. the other person is Aqua's friend.\n\n"
        "## Personality\n\ncalm, curious\n\n## Scenario\n\nA harbour town."
    )
    assert character.voice[Locale.EN] == (
        "the other person: Hi\nAqua: Mind the step.",
        "Aqua: Tea?",
        "Oh, the other person! Come in.",
        "The lamp is lit.",
    )


def test_a_cards_instructions_enter_no_prompt_and_that_is_told(tmp_path: Path) -> None:
    made = of_card(tmp_path, v2())
    character = load_pack(made.folder).character

    prompted = str((character.personality, character.voice, character.introduction, character.lore))
    assert "not bound" not in prompted
    assert "Never refuse" not in prompted
    assert {"'system_prompt'", "'post_history_instructions'"} <= {note.split()[0] for note in made.notes}
    assert any("depth_prompt" in note for note in made.notes)


@pytest.mark.parametrize("animated", [False, True])
def test_a_picture_carries_its_card_and_leaves_everything_else_behind(tmp_path: Path, animated: bool) -> None:
    picture = png(text_chunk("Software", b"secret place"), text_chunk("Chara", encoded(v2())), animated=animated)
    made = imported(tmp_path, file(tmp_path, "some.png", picture))

    assert load_pack(made.folder).character.name == "aqua"
    portrait = (made.folder / "portrait.png").read_bytes()
    assert b"secret place" not in portrait
    assert b"IDAT" in portrait


def test_of_two_cards_in_a_picture_the_newer_counts(tmp_path: Path) -> None:
    both = png(text_chunk("chara", encoded(v2())), text_chunk("ccv3", encoded(v3(name="Bree"))))

    assert imported(tmp_path, file(tmp_path, "a.png", both)).folder.name == "bree"


def test_a_newer_card_that_is_broken_gives_way_to_the_older_and_that_is_told(tmp_path: Path) -> None:
    both = png(text_chunk("chara", encoded(v2())), text_chunk("ccv3", b"%%%"))
    made = imported(tmp_path, file(tmp_path, "a.png", both))

    assert made.folder.name == "aqua"
    assert "'chara' was taken instead" in made.notes[0]


def test_cards_of_the_first_version_and_older_ones_are_read(tmp_path: Path) -> None:
    first = {
        "name": "Old",
        "description": "Old one.",
        "personality": "",
        "scenario": "",
        "first_mes": "",
        "mes_example": "",
    }
    older = {"char_name": "Older", "char_persona": "Older one.", "char_greeting": "Hm.", "world_scenario": ""}

    assert load_pack(of_card(tmp_path, first).folder).character.personality == {Locale.EN: "Old one."}
    assert load_pack(of_card(tmp_path, older).folder).character.voice == {Locale.EN: ("Hm.",)}


def test_a_charx_is_read(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("card.json", json.dumps(v3()))
        archive.writestr("assets/icon.png", b"x")

    assert imported(tmp_path, file(tmp_path, "aqua.charx", packed.getvalue())).folder.name == "aqua"


def test_a_japanese_card_is_known_by_its_letters(tmp_path: Path) -> None:
    card = v2(
        name="澪", description="{{char}}は灯台守。{{user}}の友だち。", personality="", scenario="港町。", first_mes=""
    )
    made = imported(tmp_path, file(tmp_path, "mio.json", card))
    character = load_pack(made.folder).character

    assert (character.name, character.locale) == ("mio", Locale.JA)
    assert character.personality[Locale.JA] == "澪は灯台守。相手の友だち。\n\n## 状況\n\n港町。"


def test_wrong_kinds_of_values_are_put_right_or_told(tmp_path: Path) -> None:
    card = v2(
        tags="sea, calm", alternate_greetings=None, personality=7, extensions=[], character_book="none", creator=None
    )
    made = of_card(tmp_path, card)

    assert load_pack(made.folder).character.tags == ("sea", "calm")
    assert any(note.startswith("'personality'") for note in made.notes)


def test_a_lorebook_keeps_the_cards_rules(tmp_path: Path) -> None:
    held = book(
        entry("The quay is {{char}}'s.", "quay", "<USER>", selective=True, secondary_keys=["who"], name="Quay"),
        entry("Rose.", "Rose", case_sensitive=True, insertion_order=3, priority=7, position="before_char"),
        entry("Always.", constant=True, secondary_keys=["unused"], selective=False),
        entry("Off.", "off", enabled=False),
        entry("@@scan_depth 9\n@@role system\nDeep.", "deep"),
        entry("Words.", "/(cat|dog)/i", use_regex=True),
        entry("Pattern.", r"\d+ ships?", use_regex=True),
        entry("Rare.", "rare", extensions={"probability": 30, "position": 4}),
        scan_depth=6,
        token_budget=900,
        recursive_scanning=True,
    )
    made = of_card(tmp_path, v3(character_book=held))
    lore = load_pack(made.folder).character.lore[Locale.EN]
    quay, rose, always, off, deep, words, pattern, rare = lore.entries

    assert (lore.scan_depth, lore.token_budget, lore.recursive) == (6, 900, True)
    assert (quay.text, quay.keys, quay.secondary_keys) == (
        "The quay is Aqua's.",
        ("quay", "the other person"),
        ("who",),
    )
    assert (rose.case_sensitive, rose.order, rose.priority, rose.place) == (True, 3, 7, LorePlace.BEFORE)
    assert (always.always, always.secondary_keys, off.enabled) == (True, (), False)
    assert (deep.text, deep.scan_depth) == ("Deep.", 9)
    assert (words.keys, words.enabled, pattern.enabled, rare.enabled) == (("cat", "dog"), True, False, True)
    told = "\n".join(made.notes)
    assert "'deep': rules nobody follows here: role" in told
    assert "its keys are regular expressions" in told
    assert "probability, depth" in told


def test_a_lorebook_as_another_program_writes_it_is_read(tmp_path: Path) -> None:
    entries = {
        "0": {"key": ["quay"], "keysecondary": [], "content": "Grey.", "order": 4, "disable": True, "position": 0}
    }
    made = of_card(tmp_path, v2(character_book={"entries": entries}))
    (found,) = load_pack(made.folder).character.lore[Locale.EN].entries

    assert (found.keys, found.order, found.enabled, found.place) == (("quay",), 4, False, LorePlace.BEFORE)


def test_times_in_a_card_are_left_out_and_told(tmp_path: Path) -> None:
    held = book(entry("It is 14:30. The quay is old.", "quay"))
    card = v2(scenario="It is Monday night. A town.", description="{{time}} {{char}} waits.", character_book=held)
    made = of_card(tmp_path, card)
    personality = load_pack(made.folder).character.personality[Locale.EN]

    assert "Monday" not in personality
    assert "A town." in personality
    assert len([note for note in made.notes if "names a time" in note]) == 2
    assert any("{{time}}" in note for note in made.notes)


def test_a_card_that_is_longer_than_a_pack_holds_is_cut_and_that_is_told(tmp_path: Path) -> None:
    made = of_card(tmp_path, v2(name="N" * 60, description="word " * 4000, tags=[str(number) for number in range(50)]))

    load_pack(made.folder)
    assert {"tokens; a pack holds", "name was shortened", "20 of 50 tags"} == {
        piece
        for piece in ("tokens; a pack holds", "name was shortened", "20 of 50 tags")
        if any(piece in note for note in made.notes)
    }


def test_the_original_is_kept_for_the_way_back(tmp_path: Path) -> None:
    made = of_card(tmp_path, v2(somebodys_own={"x": 1}))
    kept = json.loads((made.folder / "card.json").read_text("utf-8"))

    assert kept["spec"] == "chara_card_v3"
    assert kept["data"]["somebodys_own"] == {"x": 1}
    assert kept["data"]["description"].startswith("{{char}}")
    assert "proactive" not in tomllib.loads((made.folder / "character.toml").read_text("utf-8"))
