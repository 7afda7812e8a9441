"""A pack becomes a card of V3 again. What was not changed since the import is as it was, placeholders and all."""

import base64
import io
import json
import os
import tomllib
from pathlib import Path
from typing import Any

from core.characters.pack import CharacterPack
from core.errors import CardError
from core.values import Locale
from data.cards import png
from data.cards.deriving import HEADINGS, as_json, derive
from data.cards.normal import Json, normalised
from data.packs.loader import load_pack
from data.packs.sources import CARD_FILE, PORTRAIT_FILE, lore_file, personality_file, voice_file

_EMPTY = {"spec": "chara_card_v3", "data": {"name": "x"}}
_PICTURE_SIZE = (400, 600)
_PLAIN_COLOUR = (86, 110, 140)
_MODE = 0o600


def export_card(folder: Path, to: Path, *, overwrite: bool) -> tuple[str, ...]:
    """Write a pack as a card, in the form that the file's name asks for; return what is not in it.

    Raises:
        PackError: the pack can't be used.
        CardError: the file can't be written, is there already, or its name ends in neither .json nor .png.
    """
    form = to.suffix.lower()
    if form not in {".json", ".png"}:
        raise CardError(f"{to.name}: a card is written as .json or .png; end the name of the file in one of them")
    if to.exists() and not overwrite:
        raise CardError(f"{to}: is there already; choose another name, or give --force to replace it")
    pack = load_pack(folder)
    data = card_data(folder, pack)
    _put(to, _as_png(folder, data) if form == ".png" else (as_json(data) + "\n").encode())
    return _left_out(pack)


def card_data(folder: Path, pack: CharacterPack) -> Json:
    """Return the `data` of the card that a pack is."""
    character, locale = pack.character, pack.character.locale
    base = _base(folder)
    before = derive(base, pack_name=character.name, locale=locale, timezone=character.timezone).files
    now = {file.name: file.read_text("utf-8-sig") for file in folder.iterdir() if file.name in _files(locale)}
    changed = {
        name for name in _files(locale) if _content(name, now.get(name, "")) != _content(name, before.get(name, ""))
    }
    parts: Json = {}
    if _names(before, locale) != (character.display_name[locale], character.tags):
        parts |= {"name": character.display_name[locale], "tags": list(character.tags)}
        base.pop("nickname", None)
    if personality_file(locale) in changed:
        parts |= _described(character.personality[locale], locale)
    if voice_file(locale) in changed:
        parts |= _talk(tomllib.loads(now.get(voice_file(locale), "")))
    if lore_file(locale) in changed:
        base.pop("character_book", None)
        parts |= _book(tomllib.loads(now[lore_file(locale)])) if lore_file(locale) in now else {}
    return base | parts


def _base(folder: Path) -> Json:
    """Return the card that a pack was made of, an empty one where there is none."""
    file = folder / CARD_FILE
    try:
        held = json.loads(file.read_text("utf-8-sig")) if file.exists() else _EMPTY
        return normalised(held, [])
    except (OSError, ValueError, RecursionError, CardError) as error:
        raise CardError(f"{folder.name}/{CARD_FILE}: can't be used ({error}); mend or remove it") from error


def _files(locale: Locale) -> tuple[str, ...]:
    return personality_file(locale), voice_file(locale), lore_file(locale)


def _content(name: str, text: str) -> Any:  # noqa: ANN401 - the text, or what TOML holds
    return tomllib.loads(text) if name.endswith(".toml") else text.strip()


def _names(before: dict[str, str], locale: Locale) -> tuple[str, tuple[str, ...]]:
    table = tomllib.loads(before["character.toml"])
    return table["display_name"][locale.value], tuple(table["tags"])


def _described(personality: str, locale: Locale) -> Json:
    """Return description, personality and scenario, parted at the headings that an import puts between them."""
    rest, found = personality, {"personality": "", "scenario": ""}
    for field in ("scenario", "personality"):
        before, heading, after = f"\n{rest}".rpartition(f"\n{HEADINGS[locale][field]}\n")
        if heading:
            rest, found[field] = before.strip(), after.strip()
    return {"description": rest.strip(), **found}


def _talk(table: Json) -> Json:
    greetings: list[str] = table.get("greetings") or [""]
    examples = "\n".join(f"<START>\n{example}" for example in table.get("examples", []))
    return {"first_mes": greetings[0], "alternate_greetings": greetings[1:], "mes_example": examples}


def _book(table: Json) -> Json:
    entries = [_entry(number, entry) for number, entry in enumerate(table.get("entry", []))]
    book = {
        "scan_depth": table.get("scan_depth", 4),
        "token_budget": table.get("token_budget", 400),
        "recursive_scanning": table.get("recursive", False),
        "extensions": {},
        "entries": entries,
    }
    return {"character_book": book}


def _entry(number: int, entry: Json) -> Json:
    depth = f"@@scan_depth {entry['scan_depth']}\n" if "scan_depth" in entry else ""
    return {
        "id": number,
        "name": entry.get("name", ""),
        "keys": entry.get("keys", []),
        "secondary_keys": entry.get("secondary_keys", []),
        "selective": bool(entry.get("secondary_keys")),
        "content": depth + entry["text"],
        "enabled": entry.get("enabled", True),
        "constant": entry.get("always", False),
        "case_sensitive": entry.get("case_sensitive", False),
        "insertion_order": entry.get("order", 100),
        "priority": entry.get("priority", 0),
        "position": "before_char" if entry.get("place") == "before" else "after_char",
        "use_regex": False,
        "extensions": {},
    }


def _as_png(folder: Path, data: Json) -> bytes:
    older = json.loads(as_json(data)) | {"spec": "chara_card_v2", "spec_version": "2.0"}
    return png.with_texts(
        _picture(folder),
        {
            "chara": base64.b64encode(json.dumps(older, ensure_ascii=False).encode()),
            "ccv3": base64.b64encode(as_json(data).encode()),
        },
    )


def _picture(folder: Path) -> bytes:
    """Return the picture of the card that was imported, else a plain one."""
    file = folder / PORTRAIT_FILE
    if file.exists():
        try:
            return png.picture(list(png.chunks(file.read_bytes())))
        except (CardError, OSError) as error:
            raise CardError(f"{folder.name}/{PORTRAIT_FILE}: {error}") from error
    from PIL import Image  # noqa: PLC0415 - only where a picture has to be made

    made = io.BytesIO()
    Image.new("RGB", _PICTURE_SIZE, _PLAIN_COLOUR).save(made, "PNG")
    return png.picture(list(png.chunks(made.getvalue())))


def _put(to: Path, content: bytes) -> None:
    scratch = to.with_name(f".{to.name}.part")
    try:
        to.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _MODE), "wb") as file:
            file.write(content)
        scratch.replace(to)
    except OSError as error:
        raise CardError(f"{to}: can't be written ({error.strerror}); choose another place") from error


def _left_out(pack: CharacterPack) -> tuple[str, ...]:
    told = []
    if pack.schedule.activities:
        told.append("the schedule is not in the card: cards have none")
    if pack.candidates:
        told.append("what the character may say first is not in the card: cards have no place for it")
    if others := [locale.value for locale in pack.character.locales if locale != pack.character.locale]:
        told.append(f"the card is written in '{pack.character.locale}' only; left out: {', '.join(others)}")
    return tuple(told)
