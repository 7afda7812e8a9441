"""Finding the few places of a text where a rule can match at all."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from core.facts.time_claims.beginnings import beginnings

Rule = TypeVar("Rule")
_WIDTH = {"ja": 2, "en": 3}
_HIRAGANA = re.compile("[\u3041-\u3096]")


@dataclass(frozen=True, slots=True)
class RuleIndex(Generic[Rule]):
    """Rules by what they may begin with, in their order.

    `long`, `middle` and `single` have beginnings of `width`, two and one characters, each with the rules of shorter
    ones among its rules; `always` are the rules that may begin anyhow. `places` matches where any may begin.
    """

    width: int
    long: dict[str, tuple[Rule, ...]]
    middle: dict[str, tuple[Rule, ...]]
    single: dict[str, tuple[Rule, ...]]
    always: tuple[Rule, ...]
    places: re.Pattern[str]

    def at(self, text: str, position: int) -> tuple[Rule, ...]:
        """Return the rules that may match at a position."""
        key = text[position : position + self.width]
        return self.long.get(key) or self.middle.get(key[:2]) or self.single.get(key[:1]) or self.always

    def anywhere(self, text: str) -> Iterator[tuple[int, tuple[Rule, ...]]]:
        """Give every position where a rule may match."""
        width, long, middle, single = self.width, self.long, self.middle, self.single
        for place in self.places.finditer(text):
            position = place.start()
            key = text[position : position + width]
            if found := long.get(key) or middle.get(key[:2]) or single.get(key[:1]):
                yield position, found


def build_index(rules: Sequence[tuple[Rule, re.Pattern[str]]], locale: str) -> RuleIndex[Rule]:
    """Index rules by the first two (Japanese) or three (English) characters their patterns may begin with."""
    width = _WIDTH[locale]
    starts = [(rule, beginnings(pattern.pattern, width)) for rule, pattern in rules]
    keys = {key for _, found in starts for key in found} - {""}
    return RuleIndex(
        width=width,
        long={key: _rules_of(starts, key) for key in keys if len(key) == width},
        middle={key: _rules_of(starts, key) for key in keys if len(key) == 2},
        single={key: _rules_of(starts, key) for key in keys if len(key) == 1},
        always=_rules_of(starts, ""),
        places=_places(keys, locale),
    )


def _places(keys: set[str], locale: str) -> re.Pattern[str]:
    """Return what matches wherever a key may stand: a first character, and for the common hiragana also the second."""
    if locale == "en":
        return re.compile(f"(?<![a-z0-9'])[{_class(key[0] for key in keys)}]")
    common = {key[0] for key in keys if _HIRAGANA.match(key)} - {key for key in keys if len(key) == 1}
    rest = _class(key[0] for key in keys if key[0] not in common)
    pairs = (f"{char}(?=[{_class(key[1] for key in keys if key[0] == char)}])" for char in sorted(common))
    return re.compile("|".join((f"[{rest}]", *pairs)) if rest else "|".join(pairs))


def _class(chars: Iterable[str]) -> str:
    return "".join(re.escape(char) for char in sorted(set(chars)))


def _rules_of(starts: Iterable[tuple[Rule, frozenset[str]]], key: str) -> tuple[Rule, ...]:
    prefixes = {key[:length] for length in range(len(key) + 1)}
    return tuple(rule for rule, found in starts if not prefixes.isdisjoint(found))
