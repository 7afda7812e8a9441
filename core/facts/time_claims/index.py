"""Finding the few places of a text where a rule can match at all."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import add
from typing import Generic, TypeVar

from core.facts.time_claims.beginnings import beginnings, character_class
from core.facts.time_claims.patterns import Pattern

Rule = TypeVar("Rule")
_WIDTH = 3
_BEFORE = {"ja": "", "en": "(?<![a-z0-9'])"}


@dataclass(frozen=True, slots=True)
class RuleIndex(Generic[Rule]):
    """Rules by what they may begin with, in their order.

    `numbers` has beginnings of one to three characters, each with the numbers of the rules that begin so; `always` are
    the rules that may begin anyhow. `known` has for each beginning the rules that may match there, those of shorter
    ones among them; None until a text first has it, since there are tens of thousands. `places` matches where any
    beginning may stand; `pairs` are their first two characters, `single` those of one.
    """

    rules: tuple[Rule, ...]
    numbers: Mapping[str, Sequence[int]]
    known: dict[str, tuple[Rule, ...] | None]
    always: tuple[Rule, ...]
    places: re.Pattern[str]
    pairs: frozenset[str]
    single: frozenset[str]

    def at(self, text: str, position: int) -> tuple[Rule, ...]:
        """Return the rules that may match at a position."""
        key = text[position : position + _WIDTH]
        while key and key not in self.known:
            key = key[:-1]
        return (self.known[key] or self._rules_of(key)) if key else ()

    def anywhere(self, text: str, start: int, stop: int) -> Iterator[tuple[int, tuple[Rule, ...]]]:
        """Give every position of a stretch where a rule may match, with its rules."""
        known, pairs, single = self.known, self.pairs, self.single
        # A beginning at the end of the stretch may reach beyond it.
        for place in self.places.finditer(text, start, stop + 1):
            at = place.start()
            if text[at : at + 2] in pairs or text[at] in single:
                key = text[at : at + _WIDTH]
                if key not in known and (key := key[:2]) not in known and (key := key[:1]) not in known:
                    continue
                yield at, known[key] or self._rules_of(key)

    def _rules_of(self, key: str) -> tuple[Rule, ...]:
        numbers = {number for size in range(1, len(key) + 1) for number in self.numbers.get(key[:size], ())}
        found = self.known[key] = tuple(self.rules[number] for number in sorted(numbers))
        return found


def build_index(rules: Sequence[tuple[Rule, Pattern]], locale: str, *, width: int = _WIDTH) -> RuleIndex[Rule]:
    """Index rules by the first characters, at most `width`, that their patterns may begin with."""
    numbers: dict[str, list[int]] = {}
    for number, (_, pattern) in enumerate(rules):
        for key in beginnings(pattern.source, width):
            numbers.setdefault(key, []).append(number)
    always = numbers.pop("", ())
    pairs = frozenset(key[:2] for key in numbers)
    return RuleIndex(
        rules=tuple(rule for rule, _ in rules),
        numbers=numbers,
        known=dict.fromkeys(numbers),
        always=tuple(rules[number][0] for number in always),
        places=_places(pairs, locale),
        pairs=pairs,
        single=frozenset(pair for pair in pairs if len(pair) == 1),
    )


def _places(pairs: Iterable[str], locale: str) -> re.Pattern[str]:
    """Return what matches wherever a key may stand.

    It has few alternatives, since the engine tries one by one: first characters are told apart by how many others
    may follow them, and each looks for what may follow any of its like.
    """
    following: dict[str, set[str]] = {}
    for pair in pairs:
        following.setdefault(pair[0], set()).add(pair[1:])
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
