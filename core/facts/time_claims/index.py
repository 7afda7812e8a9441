"""Finding the few places of a text where a rule can match at all."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import add
from typing import Generic, TypeVar

from core.facts.time_claims.beginnings import beginnings

Rule = TypeVar("Rule")
_WORD = re.compile(r"[a-z0-9][a-z0-9']*")
_WIDTH = {"ja": 2, "en": 3}


@dataclass(frozen=True, slots=True)
class RuleIndex(Generic[Rule]):
    """Rules by what they may begin with. `tables[n]` has beginnings of `n + 1` characters, with the rules of shorter
    ones among theirs; `always` are the rules that may begin anyhow. Rules keep their order.
    """

    tables: tuple[dict[str, tuple[Rule, ...]], ...]
    always: tuple[Rule, ...]

    def at(self, text: str, position: int) -> tuple[Rule, ...]:
        """Return the rules that may match at a position."""
        for length in range(len(self.tables), 0, -1):
            found = self.tables[length - 1].get(text[position : position + length])
            if found is not None:
                return found
        return self.always

    def anywhere(self, text: str) -> Iterator[tuple[int, tuple[Rule, ...]]]:
        """Give every position where a rule may match, for scripts without spaces (two characters)."""
        singles, pairs = self.tables
        for position, pair in enumerate(map(add, text, text[1:] + "\n")):
            found = pairs.get(pair) or singles.get(pair[0])
            if found:
                yield position, found

    def at_words(self, text: str) -> Iterator[tuple[int, tuple[Rule, ...]]]:
        """Give every beginning of a word where a rule may match, for scripts with spaces."""
        for word in _WORD.finditer(text):
            found = self.at(text, word.start())
            if found:
                yield word.start(), found


def build_index(rules: Sequence[tuple[Rule, re.Pattern[str]]], locale: str) -> RuleIndex[Rule]:
    """Index rules by the first two (Japanese) or three (English) characters their patterns may begin with."""
    width = _WIDTH[locale]
    starts = [(rule, beginnings(pattern.pattern, width)) for rule, pattern in rules]
    keys = sorted({key for _, found in starts for key in found}, key=len)
    tables = tuple(
        {key: _rules_of(starts, key) for key in keys if len(key) == length} for length in range(1, width + 1)
    )
    return RuleIndex(tables, _rules_of(starts, ""))


def _rules_of(starts: Iterable[tuple[Rule, frozenset[str]]], key: str) -> tuple[Rule, ...]:
    prefixes = {key[:length] for length in range(len(key) + 1)}
    return tuple(rule for rule, found in starts if not prefixes.isdisjoint(found))
