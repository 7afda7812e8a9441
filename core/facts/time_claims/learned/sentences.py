"""Judging sentences by the layer, quickly: the same scores as `Half.score` gives for `doing_features`.

The layer is asked about every sentence of every reply. Japanese ones are judged all at once, by tables of what two and
three characters weigh; English ones word by word, by what may follow a word.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from core.facts.time_claims.learned.features import ENDING, LONG, STEM, framed_together, framed_words
from core.facts.time_claims.learned.layer import Half, shipped

DOING = "doing"
_LAST_CODE = 0x10000
"""Stands for every character beyond; none of them has a weight."""
_WORDS_KEPT = 20_000
Follow = Mapping[str, tuple[int, Mapping[str, int]]]
"""What two words weigh, and three, by the second and the third."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CharacterTables:
    """Weights of runs of characters. `ids` numbers the characters that have any, 0 is any other; `size` is how many.

    `single` has the weights by that number, `pairs` by first times `size` plus second. `rows` tells for such a pair
    which row of `thirds` has the weights of what may come third; row 0 has none.
    """

    ids: NDArray[np.int64]
    size: int
    single: NDArray[np.int64]
    pairs: NDArray[np.int8]
    rows: NDArray[np.int16]
    thirds: NDArray[np.int8]

    def totals(self, framed: Sequence[str]) -> list[int]:
        """Return what the runs of each text (of two characters or more) weigh together."""
        ends = list(accumulate(map(len, framed)))
        starts = [0, *ends[:-1]]
        codes = np.frombuffer("".join(framed).encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        ids = self.ids.take(np.minimum(codes, _LAST_CODE))
        total = self.single.take(ids)
        pairs = ids[:-1] * self.size
        pairs += ids[1:]
        if len(framed) > 1:
            pairs[[end - 1 for end in ends[:-1]]] = 0  # No run goes from one text into the next.
        total[:-1] += self.pairs.take(pairs)
        runs = self.rows.take(pairs[:-1]).astype(np.int64)
        runs *= self.size
        runs += ids[2:]
        runs[pairs[1:] == 0] = 0
        total[:-2] += self.thirds.take(runs)
        return np.add.reduceat(total, starts).tolist()  # type: ignore[no-any-return]


class _Own(dict[str, int]):
    """What words weigh with their stems and ends, worked out where first asked for; so many are kept."""

    def __init__(self, weights: Mapping[str, int]) -> None:
        super().__init__()
        self._weights = weights

    def __missing__(self, word: str) -> int:
        weight = self._weights.get
        told = weight(word, 0)
        if len(word) >= LONG:
            told += weight(word[:STEM] + "-", 0) + weight("-" + word[-ENDING:], 0)
        if len(self) < _WORDS_KEPT:
            self[word] = told
        return told


@dataclass(frozen=True, slots=True, kw_only=True)
class WordTables:
    """Weights of words with their stems and ends, and of two and three words in a row by the first of them."""

    own: Mapping[str, int]
    follow: Mapping[str, Follow]

    def total(self, words: Sequence[str]) -> tuple[int, int]:
        """Return what runs of words (of two or more), stems and ends weigh together, and how many they are."""
        total = sum(map(self.own.__getitem__, words))
        long = sum(map(LONG.__le__, map(len, words)))
        thirds: Mapping[str, int] | None = None
        for seconds, word in zip(map(self.follow.get, words), words[1:], strict=False):
            if thirds and word in thirds:
                total += thirds[word]
            thirds = None
            if seconds is not None and word in seconds:
                weight, thirds = seconds[word]
                total += weight
        return total, 3 * len(words) - 3 + 2 * long


def doing_scores(texts: Sequence[str], locale: str) -> list[float]:
    """Return how much each sentence sounds like a doing, about 1 for a claim and about 0 for none."""
    half = shipped()[DOING, locale]
    if not texts:
        return []
    if locale == "ja":
        framed = framed_together(texts)
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
    """Lay the weights of runs of one to three characters out in tables.

    Raises:
        ValueError: A character has a code that the tables don't reach to.
    """
    weights = half.weights["s"]
    numbers = {char: number for number, char in enumerate(sorted(set("".join(weights))), start=1)}
    size = len(numbers) + 1
    ids = np.zeros(_LAST_CODE + 1, dtype=np.int64)
    for char, number in numbers.items():
        if ord(char) >= _LAST_CODE:
            raise ValueError(char)
        ids[ord(char)] = number
    rows = {pair: row for row, pair in enumerate(sorted({run[:2] for run in weights if len(run) == 3}), start=1)}
    single, pairs = np.zeros(size, dtype=np.int64), np.zeros(size * size, dtype=np.int8)
    thirds = np.zeros((len(rows) + 1) * size, dtype=np.int8)
    for run, weight in weights.items():
        *_, last = at = [numbers[char] for char in run]
        if len(run) == 3:
            thirds[rows[run[:2]] * size + last] = weight
        elif len(run) == 2:
            pairs[at[0] * size + last] = weight
        else:
            single[last] = weight
    table = np.zeros(size * size, dtype=np.int16)
    for pair, row in rows.items():
        table[numbers[pair[0]] * size + numbers[pair[1]]] = row
    return CharacterTables(ids=ids, size=size, single=single, pairs=pairs, rows=table, thirds=thirds)


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
    return WordTables(own=_Own(weights), follow=follow)
