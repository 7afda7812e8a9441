"""One pass over sentences for every place where a rule of explicit claims may have something to say.

Most sentences name no time at all, and the pass (Aho-Corasick) takes as long as the sentence is, however many
beginnings and words are looked for: what it finds nothing in needs no other look.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from core.facts.time_claims.beginnings import beginnings
from core.facts.time_claims.patterns import Pattern

if TYPE_CHECKING:
    from ahocorasick import Automaton

Rule = TypeVar("Rule")
Worded = TypeVar("Worded")
_WIDTHS = (3, 5, 7)
_MOST = 1500
"""How many beginnings of one pattern are worth telling apart."""
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz")
_WITHIN_WORD = {"ja": frozenset[str](), "en": _LETTERS | frozenset("0123456789'")}


class Spots(NamedTuple, Generic[Rule, Worded]):
    """What may match in a sentence.

    `places` are positions with the rules that may match there, in order; `worded` the rules that need a word the
    sentence has; `named` tells whether one of the plain words for times may be in it.
    """

    places: list[tuple[int, tuple[Rule, ...]]]
    worded: list[Worded]
    named: bool


class _Needle(NamedTuple, Generic[Rule]):
    """A string that is looked for: the rules that may match where it begins, those that need it (by number)."""

    size: int
    begins: tuple[Rule, ...]
    needed: tuple[int, ...]
    letter: bool
    named: bool


@dataclass(frozen=True, slots=True)
class Spotter(Generic[Rule, Worded]):
    """Finds the spots. `within_word` are the characters of which none stands before where a rule begins."""

    automaton: "Automaton"
    worded: tuple[Worded, ...]
    within_word: frozenset[str]

    def within(self, texts: Sequence[str]) -> Iterator[tuple[int, Spots[Rule, Worded]]]:
        """Give the texts in which something may match, by number, with what; all are looked over in one pass."""
        ends = list(accumulate(map(len, texts)))
        found = list[tuple[int, _Needle[Rule]]]()
        number = start = stop = 0
        for end, needle in self.automaton.iter("".join(texts)):
            if end >= stop:
                if found and (spots := self._spots(texts[number], found)):
                    yield number, spots
                found = []
                number = bisect_right(ends, end)
                stop = ends[number]
                start = stop - len(texts[number])
            if end - start >= needle[0] - 1:  # What begins in the text before is in neither of the two.
                found.append((end - start, needle))
        if found and (spots := self._spots(texts[number], found)):
            yield number, spots

    def spots(self, text: str) -> Spots[Rule, Worded] | None:
        """Return what may match in a text; None if nothing can."""
        return next((spots for _, spots in self.within([text])), None)

    def _spots(self, text: str, found: Iterable[tuple[int, _Needle[Rule]]]) -> Spots[Rule, Worded] | None:
        places: dict[int, tuple[Rule, ...]] = {}
        numbers = set[int]()
        named = False
        for end, (size, begins, needed, letter, is_name) in found:
            start = end - size + 1
            before = text[start - 1] if start else ""
            # Of needles that begin at one place the longest ends last; its rules are also those of the others.
            if begins and before not in self.within_word:
                places[start] = begins
            if needed and not (letter and before in _LETTERS):
                numbers.update(needed)
            named = named or is_name
        if not (places or numbers or named):
            return None
        return Spots(sorted(places.items()), [self.worded[number] for number in sorted(numbers)], named)


def build_spotter(
    rules: Sequence[tuple[Rule, Pattern]],
    worded: Sequence[tuple[Worded, Sequence[str]]],
    names: str,
    locale: str,
) -> Spotter[Rule, Worded]:
    """Build the pass for rules by their patterns, rules by the words each needs one of, and a pattern of plain words.

    Raises:
        ValueError: A pattern may begin anyhow, so that no string tells where it can match.
    """
    from ahocorasick import Automaton  # noqa: PLC0415

    numbers = _numbers(_widest(pattern.source) for _, pattern in rules)
    needed = _numbers(words for _, words in worded)
    named = _widest(names)
    automaton = Automaton()
    shared: dict[tuple[int, ...], tuple[Rule, ...]] = {(): ()}
    for string in {*numbers, *needed, *named}:
        told = _of_prefixes(numbers, string) if string in numbers else ()
        begins = shared.setdefault(told, tuple(rules[number][0] for number in told))
        letter = string[0] in _LETTERS
        automaton.add_word(string, _Needle(len(string), begins, needed.get(string, ()), letter, string in named))
    automaton.make_automaton()
    return Spotter(automaton, tuple(rule for rule, _ in worded), _WITHIN_WORD[locale])


def _widest(pattern: str) -> frozenset[str]:
    """Return the longest beginnings of a pattern that are not too many."""
    widest = beginnings(pattern, _WIDTHS[0])
    for width, wider in pairwise(_WIDTHS):
        if len(widest) > _MOST or all(len(one) < width for one in widest):
            break
        more = beginnings(pattern, wider)
        if len(more) > _MOST:
            break
        widest = more
    if "" in widest:
        raise ValueError(pattern)
    return widest


def _numbers(strings: Iterable[Iterable[str]]) -> dict[str, tuple[int, ...]]:
    """Return for each string the numbers of those that have it."""
    numbers: dict[str, list[int]] = {}
    for number, several in enumerate(strings):
        for string in dict.fromkeys(several):
            numbers.setdefault(string, []).append(number)
    return {string: tuple(listed) for string, listed in numbers.items()}


def _of_prefixes(numbers: Mapping[str, tuple[int, ...]], string: str) -> tuple[int, ...]:
    """Return the numbers of a string and of what it begins with."""
    ends = range(1, len(string) + 1)
    return tuple(sorted({number for end in ends for number in numbers.get(string[:end], ())}))
