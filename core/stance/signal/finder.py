"""Tells which of many patterns are worth trying in a text, by one pass over it for all the strings they need.

The pass takes as long as the text is, however many strings are looked for.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Self

from core.stance.signal.needles import mark, needles

if TYPE_CHECKING:
    from ahocorasick import Automaton

_NONE: Mapping[str, Sequence[str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Finder:
    """`always` are the patterns of which nothing can be told; the automaton maps a string to those that need it."""

    always: frozenset[int]
    automaton: "Automaton | None"

    @classmethod
    def of(cls, patterns: Sequence[str], *, known: Mapping[str, Sequence[str]] = _NONE) -> Self:
        """Build the pass for regular expressions, which are told by their place in `patterns`.

        `known` are the needles of some of them, by their marks.
        """
        from ahocorasick import Automaton  # noqa: PLC0415

        needed = [_needles_of(pattern, known) for pattern in patterns]
        wanting: dict[str, list[int]] = {}
        for index, strings in enumerate(needed):
            for string in strings:
                wanting.setdefault(string, []).append(index)
        automaton = Automaton()
        for string, indexes in wanting.items():
            automaton.add_word(string, tuple(indexes))
        automaton.make_automaton()
        always = frozenset(index for index, strings in enumerate(needed) if not strings)
        return cls(always, automaton if wanting else None)

    def worth_trying(self, text: str) -> set[int]:
        """Return the patterns that may match somewhere in the text; the others match nowhere."""
        found = set(self.always)
        if self.automaton is not None:
            for _, indexes in self.automaton.iter(text):
                found.update(indexes)
        return found


def _needles_of(pattern: str, known: Mapping[str, Sequence[str]]) -> Sequence[str]:
    found = known.get(mark(pattern))
    return needles(pattern) if found is None else found
