"""Judging sentences by the layer, quickly: the same scores as `Half.score` gives for `doing_features`.

The layer is asked about every sentence of every reply. Japanese ones are judged all at once, by tables of what two and
three characters weigh; English ones word by word, by what may follow a word.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from core.facts.time_claims.learned.features import ENDING, LONG, STEM, framed_characters, framed_words
from core.facts.time_claims.learned.layer import Half, shipped

DOING = "doing"
_ALL_CODES = 0x110000
Follow = Mapping[str, tuple[int, Mapping[str, int]]]
"""What two words weigh, and three, by the second and the third."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CharacterTables:
    """Weights of runs of characters. `ids` numbers the characters that have any, 0 is any other; `size` is how many.

    `pairs` is by first times `size` plus second; `begins` tells whether a known run of three begins with that pair;
    `runs` are such numbers of three, sorted, with `weights` beside them and an end that none reaches.
    """

    ids: NDArray[np.int32]
    size: int
    single: NDArray[np.int32]
    pairs: NDArray[np.int8]
    begins: NDArray[np.bool_]
    runs: NDArray[np.int64]
    weights: NDArray[np.int32]

    def totals(self, framed: Sequence[str]) -> list[int]:
        """Return what the runs of each text (of two characters or more) weigh together."""
        starts = np.zeros(len(framed), dtype=np.int64)
        np.cumsum([len(text) for text in framed[:-1]], out=starts[1:])
        ids = self.ids[np.frombuffer("".join(framed).encode("utf-32-le", "surrogatepass"), dtype=np.uint32)]
        total = self.single[ids]
        pairs = ids[:-1] * self.size + ids[1:]
        pairs[starts[1:] - 1] = 0  # No run goes from one text into the next.
        total[:-1] += self.pairs[pairs]
        places = np.nonzero(self.begins[pairs[:-1]] & (pairs[1:] > 0))[0]
        runs = pairs[places].astype(np.int64) * self.size + ids[places + 2]
        found = np.searchsorted(self.runs[:-1], runs)
        total[places] += np.where(self.runs[found] == runs, self.weights[found], 0)
        return np.add.reduceat(total, starts).tolist()  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True, kw_only=True)
class WordTables:
    """Weights of words, stems and ends, and of two and three words in a row by the first of them."""

    weights: Mapping[str, int]
    follow: Mapping[str, Follow]

    def total(self, words: Sequence[str]) -> tuple[int, int]:
        """Return what runs of words (of two or more), stems and ends weigh together, and how many they are."""
        weight, follow = self.weights.get, self.follow.get
        total, count = 0, 3 * len(words) - 3
        seconds: Follow | None = None
        thirds: Mapping[str, int] | None = None
        for word in words:
            total += weight(word, 0)
            if len(word) >= LONG:
                total += weight(word[:STEM] + "-", 0) + weight("-" + word[-ENDING:], 0)
                count += 2
            if thirds:
                total += thirds.get(word, 0)
            thirds = None
            if seconds is not None and (pair := seconds.get(word)):
                total += pair[0]
                thirds = pair[1]
            seconds = follow(word)
        return total, count


def doing_scores(texts: Sequence[str], locale: str) -> list[float]:
    """Return how much each sentence sounds like a doing, about 1 for a claim and about 0 for none."""
    half = shipped()[DOING, locale]
    if not texts:
        return []
    if locale == "ja":
        framed = [framed_characters(text) for text in texts]
        totals = _character_tables().totals(framed)
        return [half.of(total, 3 * len(text) - 3) for total, text in zip(totals, framed, strict=True)]
    tables = _word_tables()
    return [half.of(*tables.total(framed_words(text))) for text in texts]


@cache
def _character_tables() -> CharacterTables:
    return character_tables(shipped()[DOING, "ja"])


@cache
def _word_tables() -> WordTables:
    return word_tables(shipped()[DOING, "en"])


def character_tables(half: Half) -> CharacterTables:
    """Lay the weights of runs of one to three characters out in tables."""
    weights = half.weights["s"]
    numbers = {char: number for number, char in enumerate(sorted(set("".join(weights))), start=1)}
    size = len(numbers) + 1
    ids = np.zeros(_ALL_CODES, dtype=np.int32)
    for char, number in numbers.items():
        ids[ord(char)] = number
    single, pairs = np.zeros(size, dtype=np.int32), np.zeros(size * size, dtype=np.int8)
    begins, runs = np.zeros(size * size, dtype=np.bool_), dict[int, int]()
    for run, weight in weights.items():
        first, *others = (numbers[char] for char in run)
        if not others:
            single[first] = weight
            continue
        pair = first * size + others[0]
        if len(others) == 1:
            pairs[pair] = weight
        else:
            begins[pair] = True
            runs[pair * size + others[1]] = weight
    listed = sorted(runs)
    return CharacterTables(
        ids=ids,
        size=size,
        single=single,
        pairs=pairs,
        begins=begins,
        runs=np.array([*listed, np.iinfo(np.int64).max], dtype=np.int64),
        weights=np.array([*(runs[run] for run in listed), 0], dtype=np.int32),
    )


def word_tables(half: Half) -> WordTables:
    """Lay the weights of two and three words in a row out by their first word."""
    weights = half.weights["s"]
    follow: dict[str, dict[str, tuple[int, dict[str, int]]]] = {}
    for run, weight in weights.items():
        first, *others = run.split(" ")
        if not others:
            continue
        seconds = follow.setdefault(first, {})
        of_two, thirds = seconds.get(others[0], (0, {}))
        if len(others) == 1:
            of_two = weight
        else:
            thirds[others[1]] = weight
        seconds[others[0]] = of_two, thirds
    return WordTables(weights=weights, follow=follow)
