"""Finding the few places of a text where a rule can match at all."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import add
from typing import Generic, TypeVar

from core.facts.time_claims.beginnings import beginnings, character_class

Rule = TypeVar("Rule")
_WIDTH = 3
_BEFORE = {"ja": "", "en": "(?<![a-z0-9'])"}


@dataclass(frozen=True, slots=True)
class RuleIndex(Generic[Rule]):
    """Rules by what they may begin with, in their order.

    `three`, `two` and `one` have beginnings of as many characters, each with the rules of shorter ones among its
    rules; `always` are the rules that may begin anyhow and are in none. `places` matches where any beginning may
    stand; `pairs` are their first two characters.
    """

    three: Mapping[str, tuple[Rule, ...]]
    two: Mapping[str, tuple[Rule, ...]]
    one: Mapping[str, tuple[Rule, ...]]
    always: tuple[Rule, ...]
    places: re.Pattern[str]
    pairs: frozenset[str]

    def at(self, text: str, position: int) -> tuple[Rule, ...]:
        """Return the rules that may match at a position."""
        key = text[position : position + _WIDTH]
        return self.three.get(key) or self.two.get(key[:2]) or self.one.get(key[:1], ())

    def may_begin_in(self, text: str) -> bool:
        """Return whether any rule may match in a text; quick where none can."""
        return not (self.pairs.isdisjoint(map(add, text, text[1:])) and self.one.keys().isdisjoint(text))

    def anywhere(self, text: str, start: int, stop: int) -> Iterator[tuple[int, tuple[Rule, ...]]]:
        """Give every position of a stretch where a rule may match, with its rules."""
        three, two, one = self.three.get, self.two.get, self.one.get
        pairs, single = self.pairs, self.one
        # A beginning at the end of the stretch may reach beyond it.
        for place in self.places.finditer(text, start, stop + 1):
            at = place.start()
            if text[at : at + 2] in pairs or text[at] in single:
                found = three(text[at : at + _WIDTH]) or two(text[at : at + 2]) or one(text[at])
                if found:
                    yield at, found


def build_index(rules: Sequence[tuple[Rule, re.Pattern[str]]], locale: str) -> RuleIndex[Rule]:
    """Index rules by the first characters that their patterns may begin with."""
    by_key: dict[str, list[int]] = {}
    for number, (_, pattern) in enumerate(rules):
        for key in beginnings(pattern.pattern, _WIDTH):
            by_key.setdefault(key, []).append(number)

    def rules_of(key: str) -> tuple[Rule, ...]:
        numbers = {number for length in range(1, len(key) + 1) for number in by_key.get(key[:length], ())}
        return tuple(rules[number][0] for number in sorted(numbers))

    keys = by_key.keys() - {""}
    return RuleIndex(
        three={key: rules_of(key) for key in keys if len(key) == 3},
        two={key: rules_of(key) for key in keys if len(key) == 2},
        one={key: rules_of(key) for key in keys if len(key) == 1},
        always=tuple(rules[number][0] for number in by_key.get("", ())),
        places=_places(keys, locale),
        pairs=frozenset(key[:2] for key in keys),
    )


def _places(keys: Iterable[str], locale: str) -> re.Pattern[str]:
    """Return what matches wherever a key may stand.

    It has few alternatives, since the engine tries one by one: first characters are told apart by how many others
    may follow them, and each looks for what may follow any of its like.
    """
    following: dict[str, set[str]] = {}
    for key in keys:
        following.setdefault(key[0], set()).add(key[1:2])
    likes: dict[int, list[str]] = {}
    for char, others in following.items():
        likes.setdefault(0 if "" in others else len(others).bit_length(), []).append(char)
    rows = (
        f"[{character_class(chars)}](?=[{character_class({other for char in chars for other in following[char]})}])"
        if size
        else f"[{character_class(chars)}]"
        for size, chars in sorted(likes.items())
    )
    anywhere = f"{_BEFORE[locale]}(?=[{character_class(following)}])(?:{'|'.join(rows)})"
    return re.compile(anywhere if following else "(?!)")


@dataclass(frozen=True, slots=True)
class WordIndex(Generic[Rule]):
    """Rules, in their order, by words of which each needs one to be in a sentence.

    `words` matches before the longest of the words at a place; `by_word` gives the numbers of the rules that it and
    the words within its beginning are needed by. `pairs` are the first two characters of the words.
    """

    rules: tuple[Rule, ...]
    words: re.Pattern[str]
    by_word: dict[str, tuple[int, ...]]
    pairs: frozenset[str]

    def within(self, sentence: str) -> list[Rule]:
        """Return the rules that may match in a sentence; of others none may."""
        if self.pairs.isdisjoint(map(add, sentence, sentence[1:])) and self.pairs.isdisjoint(sentence):
            return []
        numbers = set[int]()
        for place in self.words.finditer(sentence):
            numbers.update(self.by_word[place[1]])
        return [self.rules[number] for number in sorted(numbers)] if numbers else []


def build_word_index(rules: Sequence[tuple[Rule, Sequence[str]]]) -> WordIndex[Rule]:
    """Index rules by the words each needs one of."""
    words = sorted({word for _, needs in rules for word in needs}, key=len, reverse=True)
    return WordIndex(
        rules=tuple(rule for rule, _ in rules),
        words=_words(words),
        by_word={word: tuple(_numbers_of(rules, word)) for word in words},
        pairs=frozenset(word[:2] for word in words),
    )


def _words(words: Sequence[str]) -> re.Pattern[str]:
    """Return what matches before a word, with the longest in its group; Latin letters only at the start of a word."""
    by_first: dict[str, list[str]] = {}
    for word in words:
        by_first.setdefault(word[0], []).append(re.escape(word[1:]))
    latin = [f"{char}(?:{'|'.join(rest)})" for char, rest in by_first.items() if char.isascii() and char.isalpha()]
    others = [
        f"{re.escape(char)}(?:{'|'.join(rest)})"
        for char, rest in by_first.items()
        if not (char.isascii() and char.isalpha())
    ]
    starts = [f"(?<![a-z])(?:{'|'.join(latin)})"] if latin else []
    return re.compile(f"(?=[{character_class(by_first)}])(?=({'|'.join((*others, *starts))}))" if words else "(?!)")


def _numbers_of(rules: Sequence[tuple[Rule, Sequence[str]]], word: str) -> Iterator[int]:
    for number, (_, needs) in enumerate(rules):
        if any(word.startswith(need) for need in needs):
            yield number
