"""Which characters a pattern may begin with, so that a rule is tried only where it can match.

Dozens of long alternations, each searched through a whole text, are slow; most places of a text begin none of them.
The rules' patterns are read just far enough to know their first two or three characters.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

_WIDEST_CLASS = 64
_DIGITS = tuple("0123456789")
_ZERO_WIDTH = re.compile(r"\(\?(?:=|!|<=|<!)")
_GROUP = re.compile(r"\((?:\?:|\?P<\w+>)?")
# The end of a repeated class, and of the groups it ends.
_STRETCH = re.compile(r"(?<=\])\{\d+,\d+\}\??(?:\)\??(?![{*+]))*")
_COUNT = re.compile(r"[?*+]\??|\{(\d*)(,?)(\d*)\}\??")


@dataclass(frozen=True, slots=True)
class _Item:
    """One item of a sequence: its alternatives (None for any character), and whether it may be left out or repeat."""

    options: tuple[tuple["_Item", ...], ...] | None
    literal: str = ""
    optional: bool = False
    repeats: bool = False


def beginnings(pattern: str, length: int) -> frozenset[str]:
    """Return what a match of `pattern` may begin with, cut at `length` characters.

    A shorter string means that anything, or nothing, may follow it; an empty one that a match may begin anyhow.
    """
    options, end = _alternatives(pattern, 0)
    if end != len(pattern):
        raise ValueError(pattern[end:])
    found = set[str]()
    for sequence in options:
        found |= {start.rstrip("\0")[:length] for start in _starts(sequence, length)}
    return frozenset(found)


def guarded(pattern: str) -> str:
    """Return a pattern that matches the same, and looks at one character before it tries alternatives.

    The engine tries the words of an alternation one by one; most places of a text begin with none of them. So there
    is a look ahead at the start, and after each stretch of anything (`[^。]{0,9}?`), which would try them at each step.
    """
    pieces = list[str]()
    done = 0
    for stretch in _STRETCH.finditer(pattern):
        pieces += (pattern[done : stretch.end()], _guard(_first(pattern, stretch.end())))
        done = stretch.end()
    return _guard(beginnings(pattern, 1)) + f"(?:{''.join(pieces)}{pattern[done:]})"


def _first(pattern: str, position: int) -> set[str]:
    """Return the characters that what follows a position, within its group, may begin with."""
    (rest, *_), _ = _alternatives(pattern, position)
    return {start.rstrip("\0") for start in _starts(rest, 1)}


def _guard(first: Collection[str]) -> str:
    return "" if "" in first else f"(?=[{character_class(first)}])"


def character_class(chars: Iterable[str]) -> str:
    """Return the inside of a class of characters."""
    return "".join(re.escape(char) for char in sorted(set(chars)))


def _starts(sequence: tuple[_Item, ...], length: int) -> set[str]:
    """Return the beginnings of a sequence; one that stops short because anything may follow ends in NUL."""
    found = {""}
    for item in sequence:
        open_ended = {start for start in found if len(start) >= length or start.endswith("\0")}
        growing = found - open_ended
        if not growing:
            break
        grown = {start + more for start in growing for more in _of_item(item, length - min(map(len, growing)))}
        found = open_ended | {start if start.endswith("\0") else start[:length] for start in grown}
        if item.optional:
            found |= growing
    return found


def _of_item(item: _Item, length: int) -> set[str]:
    if item.options is None:
        return {item.literal or "\0"} if not item.repeats else {item.literal + "\0"}
    found = set[str]()
    for sequence in item.options:
        found |= _starts(sequence, length)
    if item.repeats:
        found |= {start + "\0" for start in found if not start.endswith("\0")}
    return found


def _alternatives(pattern: str, position: int) -> tuple[tuple[tuple[_Item, ...], ...], int]:
    """Read alternatives up to the closing parenthesis or the end."""
    options: list[tuple[_Item, ...]] = []
    sequence: list[_Item] = []
    while position < len(pattern) and pattern[position] != ")":
        if pattern[position] == "|":
            options.append(tuple(sequence))
            sequence = []
            position += 1
            continue
        item, position = _item(pattern, position)
        if item is not None:
            sequence.append(item)
    return (*options, tuple(sequence)), position


def _item(pattern: str, position: int) -> tuple[_Item | None, int]:
    options, literal, position = _atom(pattern, position)
    optional = repeats = False
    if count := _COUNT.match(pattern, position):
        position = count.end()
        optional = count.group()[0] in "?*" or count.group(1) == "0"
        repeats = count.group()[0] in "*+" or (count.group(1) is not None and count.group(1) != count.group(3))
    if options == () and not literal:
        return None, position
    return _Item(options or None, literal, optional, repeats), position


def _atom(pattern: str, position: int) -> tuple[tuple[tuple[_Item, ...], ...] | None, str, int]:
    """Read one atom: alternatives (empty if it takes no room, None for a character), its literal, where it ends."""
    char = pattern[position]
    if zero := _ZERO_WIDTH.match(pattern, position):
        return (), "", _alternatives(pattern, zero.end())[1] + 1
    if char == "(":
        group = _GROUP.match(pattern, position)
        options, end = _alternatives(pattern, group.end() if group else position + 1)
        return options, "", end + 1
    if char == "[":
        return _class(pattern, position)
    if char == "\\":
        return _escape(pattern[position + 1], position + 2)
    if char in "^$":
        return (), "", position + 1
    return None, "" if char == "." else char, position + 1


def _escape(char: str, end: int) -> tuple[tuple[tuple[_Item, ...], ...] | None, str, int]:
    if char in "bB":
        return (), "", end
    if char == "d":
        return tuple((_Item(None, digit),) for digit in _DIGITS), "", end
    return None, "" if char in "wsWSD" else char, end


def _class(pattern: str, position: int) -> tuple[tuple[tuple[_Item, ...], ...] | None, str, int]:
    end = pattern.index("]", position + 2)
    inside = pattern[position + 1 : end]
    members = () if inside[0] == "^" or "\\" in inside else tuple(_members(inside))
    if not members or len(members) > _WIDEST_CLASS:
        return None, "", end + 1
    return tuple((_Item(None, member),) for member in members), "", end + 1


def _members(inside: str) -> Iterator[str]:
    position = 0
    while position < len(inside):
        if inside[position + 1 : position + 2] == "-" and position + 2 < len(inside):
            yield from map(chr, range(ord(inside[position]), ord(inside[position + 2]) + 1))
            position += 3
        else:
            yield inside[position]
            position += 1
