"""Cards of every version, and with all that goes wrong in the wild, as the `data` of a Character Card V3.

What has the wrong kind is put right or left out and told; what is not known is kept as it is for the way back.
"""

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from core.errors import CardError

Json = dict[str, Any]

_TEXTS = (
    "name",
    "description",
    "personality",
    "scenario",
    "first_mes",
    "mes_example",
    "creator",
    "character_version",
    "system_prompt",
    "post_history_instructions",
    "creator_notes",
)
_LISTS = ("tags", "alternate_greetings", "group_only_greetings")
_OLD_NAMES = {
    "char_name": "name",
    "char_persona": "description",
    "world_scenario": "scenario",
    "char_greeting": "first_mes",
    "example_dialogue": "mes_example",
}
_OLD_ENTRY_NAMES = {
    "key": "keys",
    "keysecondary": "secondary_keys",
    "order": "insertion_order",
    "caseSensitive": "case_sensitive",
}
_SPECS = {"chara_card_v2", "chara_card_v3"}
_SURROGATES = re.compile("[\ud800-\udfff\0]")
_PLACES = {0: "before_char", 1: "after_char", "0": "before_char", "1": "after_char"}


def normalised(card: object, notes: list[str]) -> Json:
    """Return the `data` of a card in the shape of V3.

    Raises:
        CardError: it is no card, or has no name.
    """
    if not isinstance(card, dict):
        raise CardError("holds no card: the JSON is no object; see docs/cards.md for what can be read")
    try:
        cleaned = _clean(card)
    except RecursionError as error:
        raise CardError("is refused: it is nested too deeply for a card; see docs/cards.md") from error
    data = _data_of(cleaned, notes)
    texts = {name: _text(data, name, notes) for name in _TEXTS}
    if not texts["name"].strip():
        raise CardError("holds no card that can be used: 'name' is missing or empty; give it one and try again")
    lists = {name: _texts(data.get(name), name, notes) for name in _LISTS}
    extensions = data.get("extensions")
    result = {**data, **texts, **lists, "extensions": extensions if isinstance(extensions, dict) else {}}
    nickname = data.get("nickname")
    if nickname is not None and not isinstance(nickname, str):
        del result["nickname"]
    book = data.get("character_book")
    if isinstance(book, dict):
        result["character_book"] = _book(book, notes)
    else:
        result.pop("character_book", None)
    return result


def _data_of(card: Json, notes: list[str]) -> Json:
    spec, held = card.get("spec"), card.get("data")
    if isinstance(held, dict):
        if spec not in _SPECS:
            notes.append(f"its 'spec' is {str(spec)[:40]!r}; it was read like Character Card V3")
        return held
    if spec in _SPECS:
        raise CardError(f"calls itself '{spec}' but has no 'data'; export it again where it was made")
    if isinstance(card.get("entries"), dict | list) and "name" not in card and "char_name" not in card:
        raise CardError("is a lorebook without a character; import the card it belongs to")
    # The oldest names may stand beside the newer ones, empty.
    given = sorted(card.items(), key=lambda held: held[1] not in (None, ""))
    renamed = {_OLD_NAMES.get(name, name): value for name, value in given}
    if not any(name in renamed for name in ("description", "personality", "first_mes")):
        raise CardError("holds no card: there is neither 'description', 'personality' nor 'first_mes' in it")
    return renamed


def _book(book: Json, notes: list[str]) -> Json:
    held = book.get("entries")
    listed = list(held.values()) if isinstance(held, dict) else held if isinstance(held, list) else []
    entries = [_entry(entry) for entry in listed if isinstance(entry, dict)]
    if len(entries) < len(listed):
        notes.append(f"{len(listed) - len(entries)} entries of the lorebook are no objects and were left out")
    result = {**book, "entries": entries, "extensions": _object(book.get("extensions"))}
    for name, convert in (("scan_depth", _number), ("token_budget", _number), ("recursive_scanning", _flag)):
        _convert(result, name, convert)
    return result


def _entry(entry: Json) -> Json:
    known = {_OLD_ENTRY_NAMES.get(name, name): value for name, value in entry.items()}
    if isinstance(known.get("disable"), bool) and "enabled" not in known:
        known["enabled"] = not known.pop("disable")
    enabled, order = _flag(known.get("enabled")), _number(known.get("insertion_order"))
    result = {
        **known,
        "keys": _strings(known.get("keys")),
        "content": known["content"] if isinstance(known.get("content"), str) else "",
        "extensions": _object(known.get("extensions")),
        "enabled": True if enabled is None else enabled,
        "insertion_order": 100 if order is None else order,
        "use_regex": bool(_flag(known.get("use_regex"))),
    }
    if "position" in result:
        result["position"] = _PLACES.get(_plain(result["position"]), result["position"])
    if "secondary_keys" in result:
        result["secondary_keys"] = _strings(result["secondary_keys"])
    for name in ("case_sensitive", "constant", "selective"):
        _convert(result, name, _flag)
    _convert(result, "priority", _number)
    return result


def _convert(table: Json, name: str, convert: Callable[[object], Any]) -> None:
    """Put a value right, or take it out where it can't be."""
    if name in table and (value := convert(table[name])) is not None:
        table[name] = value
    else:
        table.pop(name, None)


def _text(data: Mapping[str, Any], name: str, notes: list[str]) -> str:
    value = data.get(name)
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return "\n".join(value)
    if value is not None:
        notes.append(f"'{name}' is no text and was left out")
    return ""


def _texts(value: object, name: str, notes: list[str]) -> list[str]:
    if value is not None and not isinstance(value, str | list):
        notes.append(f"'{name}' is no list and was left out")
    return _strings(value)


def _strings(value: object) -> list[str]:
    """Return the texts of a list; one text with commas is a list, too."""
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return [part for part in value if isinstance(part, str)] if isinstance(value, list) else []


def _object(value: object) -> Json:
    return value if isinstance(value, dict) else {}


def _plain(value: object) -> int | str:
    return value if isinstance(value, int | str) else ""


def _flag(value: object) -> bool | None:
    if isinstance(value, str):
        return {"true": True, "false": False}.get(value.strip().lower())
    return bool(value) if isinstance(value, bool | int) else None


def _number(value: object) -> int | None:
    if isinstance(value, str) and value.strip().lstrip("-").isdecimal() and len(value) < 12:
        return int(value)
    if isinstance(value, float):
        return int(value) if math.isfinite(value) else None
    return int(value) if isinstance(value, int) else None


def _clean(value: Any) -> Any:  # noqa: ANN401 - whatever JSON holds
    """Take out of all texts what can't be written to a file again: halves of characters, and NUL."""
    if isinstance(value, str):
        return _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", value)
    if isinstance(value, dict):
        return {_clean(key): _clean(held) for key, held in value.items()}
    return [_clean(held) for held in value] if isinstance(value, list) else value
