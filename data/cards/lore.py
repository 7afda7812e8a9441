"""A card's lorebook as the table of a pack's lore file."""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from core.lore.lasting import passing
from data.cards.macros import Macros
from data.cards.normal import Json

MOST_ENTRIES = 1000
_MOST_KEYS = 200
_LONGEST_KEY = 100
_LONGEST_TEXT = 20_000
_LONGEST_NAME = 120
_FURTHEST = 1_000_000
_DEEPEST = 100
_LARGEST_BUDGET = 100_000
_USUAL_DEPTH = 4
_USUAL_BUDGET = 400
_DECORATOR = re.compile(r"\s*@@+(\w+)[ \t]*([^\n]*)(?:\n|$)")
_LITERALS = re.compile(r"/?\(?([\w\s'’\-|]+)\)?(?:/([a-z]*))?")
_NOT_FOLLOWED: Mapping[str, Callable[[Json], bool]] = MappingProxyType(
    {
        "probability": lambda held: bool(held.get("useProbability", True)) and held.get("probability", 100) != 100,
        "selectiveLogic": lambda held: bool(held.get("selectiveLogic")),
        "depth": lambda held: held.get("position") not in (None, 0, 1),
        "group": lambda held: bool(held.get("group")),
        "sticky": lambda held: bool(held.get("sticky")),
        "cooldown": lambda held: bool(held.get("cooldown")),
        "delay": lambda held: bool(held.get("delay")),
        "vectorized": lambda held: bool(held.get("vectorized")),
        "exclude_recursion": lambda held: bool(held.get("exclude_recursion") or held.get("prevent_recursion")),
    }
)
"""Rules of a widespread program that stand in an entry's `extensions`, and when they would matter."""


def lore_table(book: Json, macros: Macros, notes: list[str]) -> Json:
    """Return what goes into a lore file; `notes` gets what can't be carried over."""
    held = book["entries"]
    entries = [entry for entry in held if entry["content"].strip()][:MOST_ENTRIES]
    if len(entries) < len(held):
        notes.append(f"lorebook: {len(held) - len(entries)} of {len(held)} entries are empty or too many; left out")
    tables = [table for entry in entries if (table := _entry(entry, macros, notes))]
    budget = book.get("token_budget", 0)
    return {
        "scan_depth": _within(book.get("scan_depth", _USUAL_DEPTH), 0, _DEEPEST),
        "token_budget": _within(budget, 1, _LARGEST_BUDGET) if budget > 0 else _USUAL_BUDGET,
        "recursive": book.get("recursive_scanning", False),
        "entry": tables,
    }


def _entry(entry: Json, macros: Macros, notes: list[str]) -> Json:
    label = _label(entry)
    decorators, content = _decorated(entry["content"])
    text = macros.fill(content).strip()[:_LONGEST_TEXT].strip()
    if not text:
        return {}
    keys, enabled = _keys(entry, macros, notes, label)
    unknown = sorted(decorators.keys() - {"activate", "dont_activate", "scan_depth", "constant"})
    unknown += [name for name, matters in _NOT_FOLLOWED.items() if matters(entry["extensions"])]
    if unknown:
        notes.append(f"lorebook, {label}: rules nobody follows here: {', '.join(unknown[:10])}")
    if told := passing(text):
        notes.append(f"lorebook, {label}: '{told[0][:60]}' names a time or the present moment and won't be told")
    table: Json = {
        "name": str(entry.get("name") or entry.get("comment") or "")[:_LONGEST_NAME],
        "keys": keys,
        "secondary_keys": _texts(entry.get("secondary_keys", []), macros) if entry.get("selective") else [],
        "text": text,
        "enabled": enabled and "dont_activate" not in decorators,
        "always": bool(entry.get("constant")) or not decorators.keys().isdisjoint({"activate", "constant"}),
        "case_sensitive": entry.get("case_sensitive", False),
        "order": _within(entry["insertion_order"], -_FURTHEST, _FURTHEST),
        "priority": _within(entry.get("priority", 0), -_FURTHEST, _FURTHEST),
        "place": "before" if entry.get("position") == "before_char" else "after",
    }
    depth = decorators.get("scan_depth", "")
    return table | ({"scan_depth": _within(int(depth), 0, _DEEPEST)} if depth.isdecimal() and len(depth) < 9 else {})


def _keys(entry: Json, macros: Macros, notes: list[str], label: str) -> tuple[list[str], bool]:
    if not entry["use_regex"]:
        return _texts(entry["keys"], macros), entry["enabled"]
    words = [word for key in entry["keys"] for word in _alternatives(key)]
    if all(_alternatives(key) for key in entry["keys"]):
        return _texts(words, macros), entry["enabled"]
    notes.append(f"lorebook, {label}: its keys are regular expressions; put words there and set enabled = true")
    return _texts(words, macros), bool(entry.get("constant")) and entry["enabled"]


def _alternatives(key: str) -> list[str]:
    """Return the words of a regular expression that is nothing but words with bars between them."""
    match = _LITERALS.fullmatch(key.strip())
    return [word.strip() for word in match[1].split("|") if word.strip()] if match else []


def _texts(keys: list[str], macros: Macros) -> list[str]:
    filled = (macros.fill(key).strip()[:_LONGEST_KEY].strip() for key in keys)
    return list(dict.fromkeys(key for key in filled if key))[:_MOST_KEYS]


def _decorated(content: str) -> tuple[dict[str, str], str]:
    """Return the decorators of V3 at the beginning of an entry, and the rest."""
    found: dict[str, str] = {}
    while match := _DECORATOR.match(content):
        found[match[1].lower()] = match[2].strip()
        content = content[match.end() :]
    return found, content


def _label(entry: Json) -> str:
    named: Any = entry.get("name") or entry.get("comment") or next(iter(entry["keys"]), "without a key")
    return f"'{' '.join(str(named).split())[:40]}'"


def _within(number: int, least: int, most: int) -> int:
    return max(least, min(most, number))
