"""What a pattern needs before it can match: a few literal strings, one of which has to stand in the text.

Looking for strings is many times faster than trying a pattern at every place; most groups are told absent by it.
"""

from collections.abc import Sequence
from re import _constants as kinds  # type: ignore[attr-defined]  # the parser of `re` has no public name
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

_MOST = 160
"""Strings beyond which the pattern itself is the faster way."""


def needles(pattern: str) -> tuple[str, ...]:
    """Return strings one of which is in every text that the pattern matches; () when nothing can be told."""
    found = _of_sequence(parser.parse(pattern))
    return tuple(sorted(found)) if len(found) <= _MOST else ()


def _of_sequence(items: Sequence[tuple[Any, Any]]) -> frozenset[str]:
    """Return the best needles of things that follow each other: any of them will do, so the longest are taken."""
    options: list[frozenset[str]] = []
    run = ""
    for kind, value in items:
        if kind is kinds.LITERAL:
            run += chr(value)
            continue
        options += [frozenset({run})] if run else []
        run = ""
        options.append(_of_item(kind, value))
    options += [frozenset({run})] if run else []
    return max((option for option in options if option), key=_worth, default=frozenset())


def _of_item(kind: Any, value: Any) -> frozenset[str]:  # noqa: ANN401 - the parser's own, untyped
    if kind is kinds.SUBPATTERN:
        return _of_sequence(value[-1])
    if kind in {kinds.MAX_REPEAT, kinds.MIN_REPEAT} and value[0] > 0:
        return _of_sequence(value[2])
    if kind is kinds.BRANCH:
        branches = [_of_sequence(branch) for branch in value[1]]
        return frozenset().union(*branches) if all(branches) else frozenset()
    if kind is kinds.IN and all(part is kinds.LITERAL for part, _ in value):
        return frozenset(chr(code) for _, code in value)
    return frozenset()


def _worth(needles_of_one: frozenset[str]) -> tuple[float, int]:
    """Kanji and kana tell more than a Latin letter; the shortest needle decides, then how few there are."""
    return min(sum(3.0 if sign > "\u3000" else 1.0 for sign in needle) for needle in needles_of_one), -len(
        needles_of_one
    )
