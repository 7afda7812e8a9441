"""What a card says, as the files of a pack."""

import json
import re
from dataclasses import dataclass

import tomli_w

from core.language_model.tokens import cut_to_tokens, estimate_tokens
from core.lore.lasting import lasting, passing
from core.values import Locale
from data.cards.lore import lore_table
from data.cards.macros import Macros
from data.cards.normal import Json
from data.packs.sources import CARD_FILE, CHARACTER_FILE, lore_file, personality_file, voice_file

HEADINGS = {
    Locale.EN: {"personality": "## Personality", "scenario": "## Scenario"},
    Locale.JA: {"personality": "## 性格", "scenario": "## 状況"},
}
_INTRODUCTIONS = {Locale.EN: "Hello, I'm {name}, an AI character.", Locale.JA: "{name}です。AIのキャラクターです。"}
_NOTHING = {Locale.EN: "{name} is easy to talk to.", Locale.JA: "{name}は、話しやすい相手。"}
_PERSONALITY_TOKENS = 1900
_LONGEST_NAME = 32
_LONGEST_TAG = 120
_MOST_TAGS = 30
_LONGEST_TALK = 20_000
_MOST_TALKS = 100
_START = re.compile(r"<START>", re.IGNORECASE)
_JAPANESE = re.compile(r"[\u3040-\u30ff]")
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived:
    """The files of a pack by name, and what of the card is not in them as it was."""

    files: dict[str, str]
    notes: tuple[str, ...]


def guess_locale(data: Json) -> Locale:
    """Return the language a card is written in, as far as the program speaks it."""
    text = "".join(data[name] for name in ("description", "personality", "first_mes", "scenario"))
    return Locale.JA if len(_JAPANESE.findall(text)) * 20 > len(text) else Locale.EN


def derive(data: Json, *, pack_name: str, locale: Locale, timezone: str) -> Derived:
    """Return the pack that a card (the `data` of V3) makes."""
    notes: list[str] = []
    name = _short(str(data.get("nickname") or "").strip() or data["name"], _LONGEST_NAME) or pack_name
    if name != " ".join((data.get("nickname") or data["name"]).split()):
        notes.append(f"the name was shortened to '{name}'")
    macros = Macros(name=name, locale=locale)
    files = {
        CHARACTER_FILE: _character(data, name, pack_name, locale, timezone, notes),
        personality_file(locale): _personality(data, name, locale, macros, notes),
    }
    if voice := _voice(data, macros, notes):
        files[voice_file(locale)] = tomli_w.dumps(voice, multiline_strings=True)
    if "character_book" in data:
        files[lore_file(locale)] = tomli_w.dumps(lore_table(data["character_book"], macros, notes))
    files[CARD_FILE] = as_json(data) + "\n"
    return Derived(files=files, notes=(*notes, *macros.notes(), *_left(data)))


def as_json(data: Json) -> str:
    """Return a card of V3 as text."""
    card = {"spec": "chara_card_v3", "spec_version": "3.0", "data": data}
    return json.dumps(card, ensure_ascii=False, indent=2, allow_nan=True)


def _character(data: Json, name: str, pack_name: str, locale: Locale, timezone: str, notes: list[str]) -> str:
    tags = list(dict.fromkeys(tag for held in data["tags"] if (tag := _short(held, _LONGEST_TAG))))
    if len(tags) > _MOST_TAGS:
        notes.append(f"{len(tags) - _MOST_TAGS} of {len(tags)} tags were left out")
    notes.append(f"write a public introduction into {CHARACTER_FILE}: a card has none that everybody may see")
    return tomli_w.dumps(
        {
            "name": pack_name,
            "locale": locale.value,
            "timezone": timezone,
            "tags": tags[:_MOST_TAGS],
            "display_name": {locale.value: name},
            "introduction": {locale.value: _INTRODUCTIONS[locale].format(name=name)},
        }
    )


def _personality(data: Json, name: str, locale: Locale, macros: Macros, notes: list[str]) -> str:
    parts = []
    for field in ("description", "personality", "scenario"):
        filled = macros.fill(data[field]).strip()
        notes += [
            f"{field}: '{sentence[:60]}' names a time or the present moment and was left out"
            for sentence in passing(filled)[:3]
        ]
        if text := lasting(filled):
            parts += [HEADINGS[locale][field]] if field in HEADINGS[locale] else []
            parts.append(text)
    whole = "\n\n".join(parts) or _NOTHING[locale].format(name=name)
    cut = cut_to_tokens(whole, _PERSONALITY_TOKENS).rstrip()
    if cut != whole:
        about = estimate_tokens(whole)
        notes.append(
            f"description, personality and scenario have about {about:,} tokens; a pack holds {_PERSONALITY_TOKENS:,}, "
            f"and what comes after '…{_short(cut[-40:], 40)}' was left out: shorten them by hand"
        )
    return cut + "\n"


def _voice(data: Json, macros: Macros, notes: list[str]) -> Json:
    greetings = _talks([data["first_mes"], *data["alternate_greetings"]], macros)
    examples = _talks(_START.split(data["mes_example"]), macros)
    if greetings:
        notes.append("greetings serve as examples of how the character talks; nobody is greeted unasked")
    return {name: talks for name, talks in (("greetings", greetings), ("examples", examples)) if talks}


def _talks(texts: list[str], macros: Macros) -> list[str]:
    filled = (macros.fill(text).strip()[:_LONGEST_TALK].strip() for text in texts)
    return [text for text in filled if text][:_MOST_TALKS]


def _left(data: Json) -> list[str]:
    """Return what stays in the card's own file and has no effect."""
    told = [
        f"'{name}' is kept for the way back, but has no effect: no card outranks the program's policy"
        for name in ("system_prompt", "post_history_instructions")
        if data[name].strip()
    ]
    if data["group_only_greetings"]:
        told.append("greetings for groups are kept for the way back only")
    if data["extensions"]:
        names = ", ".join(sorted(map(str, data["extensions"]))[:8])
        told.append(f"extensions are kept for the way back only: {names}")
    if data.get("assets"):
        told.append("assets (further pictures, sounds) are not used")
    return told


def _short(text: str, most: int) -> str:
    return _SPACE.sub(" ", text).strip()[:most].strip()
