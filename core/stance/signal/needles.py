"""What a pattern needs before it can match: a few literal strings, one of which has to stand in the text.

Looking for strings is many times faster than trying a pattern at every place; most patterns are told absent by it.
Patterns are read here as far as lexicons use regular expressions; of one that goes beyond that nothing is told.

What the patterns of the shipped lexicons need is kept in `needles.json`, by a digest of the pattern: reading them all
takes half a second. `python -m tests.unit.stance.needles --write` makes it anew; one that is not in it is read.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files

_NOTHING: frozenset[str] = frozenset()

_QUANTIFIER = re.compile(r"(?:[*+?]|\{([0-9]*)(?:,[0-9]*)?\})\??")
_SET = re.compile(r"\[(\^?)(\]?(?:\\.|[^\]\\])*)\]")
_LOOKING = re.compile(r"\?<?[=!]")
_OPENING = re.compile(r"\((\?:|\?<?[=!])?")
_SPECIAL = frozenset("()[]{}|*+?.^$\\")
_WIDE_ESCAPES = frozenset("wWdDsSbBAZ")


class _BeyondError(Exception):
    """The pattern holds something that is not read here."""


@dataclass(slots=True)
class _Cursor:
    pattern: str
    at: int = 0

    @property
    def sign(self) -> str:
        return self.pattern[self.at : self.at + 1]

    def take(self, form: re.Pattern[str]) -> re.Match[str] | None:
        found = form.match(self.pattern, self.at)
        if found:
            self.at = found.end()
        return found


def mark(pattern: str) -> str:
    """Return what a pattern is known by in `needles.json`."""
    return sha256(pattern.encode()).hexdigest()[:16]


@cache
def shipped() -> Mapping[str, Sequence[str]]:
    """Return the needles of the patterns that were in the shipped lexicons when the file was made, by their marks."""
    found: dict[str, list[str]] = json.loads((files("core.stance.signal") / "needles.json").read_text("utf-8"))
    return found


def needles(pattern: str) -> tuple[str, ...]:
    """Return strings one of which is in every text that the pattern matches; () when nothing can be told."""
    cursor = _Cursor(pattern)
    try:
        found = _of_branches(cursor)
    except _BeyondError:
        return ()
    return tuple(sorted(found)) if cursor.at == len(pattern) else ()


def _of_branches(cursor: _Cursor) -> frozenset[str]:
    """Read up to the end of a group: each branch has to need something, or nothing is told."""
    branches = [_of_sequence(cursor)]
    while cursor.sign == "|":
        cursor.at += 1
        branches.append(_of_sequence(cursor))
    return _NOTHING.union(*branches) if all(branches) else _NOTHING


def _of_sequence(cursor: _Cursor) -> frozenset[str]:
    """Return the best needles of things that follow each other: any of them will do, so the longest are taken."""
    options: list[frozenset[str]] = []
    run = ""
    while cursor.sign not in {"", "|", ")"}:
        literal, needed = _of_atom(cursor)
        quantifier = cursor.take(_QUANTIFIER)
        if literal and quantifier is None:
            run += literal
            continue
        options.append(frozenset({run}) if run else _NOTHING)
        run = ""
        if quantifier is None or _at_least_once(quantifier):
            options.append(frozenset({literal}) if literal else needed)
    options.append(frozenset({run}) if run else _NOTHING)
    return max((option for option in options if option), key=_worth, default=_NOTHING)


def _of_atom(cursor: _Cursor) -> tuple[str, frozenset[str]]:
    """Return the literal that comes next, or what the group or set that comes next needs."""
    sign = cursor.sign
    if sign == "(":
        return "", _of_group(cursor)
    if sign == "[":
        return "", _of_set(cursor)
    if sign == "\\":
        return _of_escape(cursor), _NOTHING
    cursor.at += 1
    if sign in {".", "^", "$"}:
        return "", _NOTHING
    if sign in _SPECIAL:
        raise _BeyondError
    return sign, _NOTHING


def _of_group(cursor: _Cursor) -> frozenset[str]:
    opening = cursor.take(_OPENING)
    if opening is None or cursor.sign == "?":
        raise _BeyondError
    inside = _of_branches(cursor)
    if cursor.sign != ")":
        raise _BeyondError
    cursor.at += 1
    return _NOTHING if opening[1] and _LOOKING.match(opening[1]) else inside


def _of_set(cursor: _Cursor) -> frozenset[str]:
    found = cursor.take(_SET)
    if found is None:
        raise _BeyondError
    plain = not found[1] and "\\" not in found[2] and "-" not in found[2]
    return frozenset(found[2]) if plain else _NOTHING


def _of_escape(cursor: _Cursor) -> str:
    escaped = cursor.pattern[cursor.at + 1 : cursor.at + 2]
    cursor.at += 2
    if escaped in _WIDE_ESCAPES:
        return ""
    if not escaped or escaped.isalnum():
        raise _BeyondError
    return escaped


def _at_least_once(quantifier: re.Match[str]) -> bool:
    if quantifier[1] is not None:
        return int(quantifier[1] or 0) > 0
    return quantifier[0].startswith("+")


def _worth(needles_of_one: frozenset[str]) -> tuple[float, int]:
    """Kanji and kana tell more than a Latin letter; the shortest needle decides, then how few there are."""
    return min(sum(3.0 if sign > "\u3000" else 1.0 for sign in needle) for needle in needles_of_one), -len(
        needles_of_one
    )
