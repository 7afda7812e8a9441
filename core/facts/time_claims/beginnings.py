"""Which characters a pattern may begin with, so that a rule is tried only where it can match.

Dozens of long alternations, each searched through a whole text, are slow; most places of a text begin none of them.
The rules' patterns are read just far enough to know their first two or three characters. What stands in parentheses is
read once: the same words recur in many patterns.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

_WIDEST_CLASS = 64
# Of what may stand up to so many times, each is an item of its own.
_MOST_TOLD = 2
_FIGURES = 2
_TWO_FIGURES = re.compile("[^0-9〇零一二三四五六七八九十\0]*[0-9〇零一二三四五六七八九十][^\0]")
_DIGITS = frozenset("0123456789")
_ZERO_WIDTH = re.compile(r"\(\?(?:=|!|<=|<!)")
_GROUP = re.compile(r"\((?:\?:|\?P<\w+>)?")
# The end of a repeated class, and of the groups it ends.
_STRETCH = re.compile(r"(?<=\])\{\d+,\d+\}\??(?:\)\??(?![{*+]))*")
_COUNT = re.compile(r"[?*+]\??|\{(\d*)(,?)(\d*)\}\??")
# What tells the structure of a pattern: escapes and classes have none inside.
_STRUCTURE = re.compile(r"\\.|\[.[^\]]*\]|[()|]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Item:
    """One item of a sequence: what is in its parentheses or what it is one of, and whether it may repeat or be absent.

    `inside` is None for a character, `chars` are then what it may be; empty for any.
    """

    inside: str | None
    chars: frozenset[str]
    optional: bool
    repeats: bool


@lru_cache(maxsize=8192)
def beginnings(pattern: str, length: int) -> frozenset[str]:
    """Return what a match of `pattern` may begin with, cut at `length` characters.

    A shorter string means that anything, or nothing, may follow it; an empty one that a match may begin anyhow.
    """
    return frozenset(start.rstrip("\0")[:length] for start in _open_starts(pattern, length))


@lru_cache(maxsize=8192)
def guarded(pattern: str) -> str:
    """Return a pattern that matches the same, and looks at one character before it tries alternatives.

    The engine tries the words of an alternation one by one; most places of a text begin with none of them. So there
    is a look ahead at the start, and after each stretch of anything (`[^。]{0,9}?`), which would try them at each step.
    """
    pieces = list[str]()
    done = 0
    for stretch in _STRETCH.finditer(pattern):
        rest = _alternative_at(pattern, stretch.end())
        pieces += (pattern[done : stretch.end()], _guard({start.rstrip("\0") for start in _starts(rest, 1)}))
        done = stretch.end()
    return _guard(beginnings(pattern, 1)) + f"(?:{''.join(pieces)}{pattern[done:]})"


def character_class(chars: Iterable[str]) -> str:
    """Return the inside of a class of characters."""
    return "".join(re.escape(char) for char in sorted(set(chars)))


def _guard(first: Collection[str]) -> str:
    return "" if "" in first else f"(?=[{character_class(first)}])"


@lru_cache(maxsize=8192)
def _open_starts(alternatives: str, length: int) -> frozenset[str]:
    """Return the beginnings of any of several alternatives, as `_starts` gives them."""
    return frozenset(start for one in _split(alternatives) for start in _starts(one, length))


def _starts(sequence: str, length: int) -> set[str]:
    """Return the beginnings of a sequence; one that stops short because anything may follow ends in NUL."""
    found = {""}
    for item in _items(sequence):
        growing = {start for start in found if len(start) < length and not start.endswith("\0")}
        if not growing:
            break
        more = _of_item(item, length - min(map(len, growing)))
        grown = {start + end for start in growing for end in more}
        found = (found if item.optional else found - growing) | {_cut(start, length) for start in grown}
    return found


def _cut(start: str, length: int) -> str:
    """Return a beginning cut at `length`; there are too many numbers to tell all their figures and what follows."""
    if length > _FIGURES and (number := _TWO_FIGURES.match(start[:length])):
        return number[0] + "\0"
    return start if start.endswith("\0") else start[:length]


def _of_item(item: _Item, length: int) -> Collection[str]:
    found: Collection[str] = item.chars or {"\0"} if item.inside is None else _open_starts(item.inside, length)
    return {start if start.endswith("\0") else start + "\0" for start in found} if item.repeats else found


def _split(alternatives: str) -> list[str]:
    """Cut what is on either side of a bar that no parentheses are around.

    Raises:
        ValueError: A parenthesis is closed that is not open, or the other way round.
    """
    pieces, depth, done = list[str](), 0, 0
    for sign in _STRUCTURE.finditer(alternatives):
        depth += (sign[0] == "(") - (sign[0] == ")")
        if depth < 0:
            raise ValueError(alternatives[sign.start() :])
        if sign[0] == "|" and not depth:
            pieces.append(alternatives[done : sign.start()])
            done = sign.end()
    if depth:
        raise ValueError(alternatives)
    return [*pieces, alternatives[done:]]


def _alternative_at(pattern: str, position: int) -> str:
    """Return what follows a position up to the end of the alternative that it is in."""
    return pattern[position : _end_of(pattern, position, ends="|)")]


def _end_of(pattern: str, position: int, *, ends: str) -> int:
    """Return where, within the parentheses that a position is in, the next of the `ends` stands."""
    depth = 0
    for sign in _STRUCTURE.finditer(pattern, position):
        if not depth and sign[0] in ends:
            return sign.start()
        depth += (sign[0] == "(") - (sign[0] == ")")
    return len(pattern)


def _items(sequence: str) -> Iterator[_Item]:
    """Give the items of a sequence that take room."""
    position = 0
    while position < len(sequence):
        inside, chars, takes_room, position = _atom(sequence, position)
        least, most = 1, 1
        if count := _COUNT.match(sequence, position):
            position = count.end()
            least, most = _times(count)
        if not takes_room:
            continue
        if most > _MOST_TOLD:
            yield _Item(inside, chars, optional=not least, repeats=True)
        else:
            yield from (_Item(inside, chars, optional=time >= least, repeats=False) for time in range(most))


def _times(count: re.Match[str]) -> tuple[int, int]:
    """Return how often an item stands, at least and at most."""
    if count[0][0] in "?*+":
        return int(count[0][0] == "+"), 1 if count[0][0] == "?" else _MOST_TOLD + 1
    least = int(count[1] or 0)
    return least, least if not count[2] else int(count[3] or _MOST_TOLD + 1)


def _atom(sequence: str, position: int) -> tuple[str | None, frozenset[str], bool, int]:
    """Read one atom: what is in its parentheses, what it is one of, whether it takes room, where it ends."""
    char = sequence[position]
    if char == "(":
        group = _GROUP.match(sequence, position)
        takes_room = _ZERO_WIDTH.match(sequence, position) is None
        begin = group.end() if group and takes_room else position + 1
        end = _end_of(sequence, begin, ends=")")
        return sequence[begin:end], frozenset(), takes_room, end + 1
    if char == "[":
        end = sequence.index("]", position + 2)
        return None, _members(sequence[position + 1 : end]), True, end + 1
    if char == "\\":
        return None, _escaped(sequence[position + 1]), sequence[position + 1] not in "bB", position + 2
    return None, frozenset() if char == "." else frozenset(char), char not in "^$", position + 1


def _escaped(char: str) -> frozenset[str]:
    if char == "d":
        return _DIGITS
    return frozenset() if char in "wsWSDbB" else frozenset(char)


@lru_cache(maxsize=1024)
def _members(inside: str) -> frozenset[str]:
    """Return the members of a class; none if they are too many, or not plain characters."""
    if inside[0] == "^" or "\\" in inside:
        return frozenset()
    members = frozenset(_each_member(inside))
    return members if len(members) <= _WIDEST_CLASS else frozenset()


def _each_member(inside: str) -> Iterator[str]:
    position = 0
    while position < len(inside):
        if inside[position + 1 : position + 2] == "-" and position + 2 < len(inside):
            yield from map(chr, range(ord(inside[position]), ord(inside[position + 2]) + 1))
            position += 3
        else:
            yield inside[position]
            position += 1
