"""Fits the weights that tell questions of what was said before where no pattern does (`core/recall/likely.py`).

`python -m tests.evals.recall.asking` tells how many questions of each hand are found by weights that none of its lines
had a part in, and how many ordinary turns are taken for questions; with `--write` the weights are stored.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import core.recall
from core.analysis.text import fold
from core.recall.likely import LIKELY, Weights, pieces
from core.recall.question import language_of, read_question

Numbers = NDArray[np.float64]

CORPUS = Path(__file__).parents[2] / "corpus"
TARGET = Path(core.recall.__file__).with_name("likely.json")
LANGUAGES = ("en", "ja")
QUESTIONS = {
    "recall": "first",
    "recall_own": "own",
    "recall_second_questions": "second",
    "recall_pairs_own": "own",
    "recall_pairs_third": "third",
    "recall_pairs_fourth": "fourth",
    "recall_questions_own": "own",
    "recall_questions_general": "general",
}

_RIDGE = 1.0
_QUESTIONS_WEIGH = 4.0
_GENERAL_WEIGH = 6.0  # few of the ordinary turns ask for anything
_SELDOM = 3  # lines at least that hold a piece
_SMALL = 6  # hundredths: what counts for less is left out
_STEPS = 8
_PRODUCTS = 40


@dataclass(frozen=True, slots=True)
class Said:
    """A message, who wrote it, and whether it asks for something that was said before."""

    text: str
    hand: str
    asks: bool

    @property
    def language(self) -> str:
        """The language it is read in."""
        return language_of(self.text)


@dataclass(frozen=True, slots=True)
class _Table:
    """Which pieces each message holds: `values` at `rows` and `columns`."""

    names: tuple[str, ...]
    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    values: Numbers
    size: int

    @classmethod
    def of(cls, lines: Sequence[Said]) -> "_Table":
        held = [sorted(pieces(line.text, line.language)) for line in lines]
        often = Counter(piece for found in held for piece in found)
        names = tuple(sorted(piece for piece, count in often.items() if count >= _SELDOM))
        place = {piece: column for column, piece in enumerate(names)}
        known = [[place[piece] for piece in found if piece in place] for found in held]
        rows = np.repeat(np.arange(len(lines)), [len(found) for found in known])
        values = np.repeat([1 / np.sqrt(max(1, len(found))) for found in known], [len(found) for found in known])
        return cls(names, rows, np.array([c for found in known for c in found], np.int64), values, len(lines))

    def times(self, weights: Numbers) -> Numbers:
        return np.bincount(self.rows, self.values * weights[self.columns], self.size).astype(np.float64)

    def transposed_times(self, residue: Numbers) -> Numbers:
        return np.bincount(self.columns, self.values * residue[self.rows], len(self.names)).astype(np.float64)


_POINTING_BACK = frozenset({"turns_own_memory", "turns_own_pressing"})
"""Turns of which many ask for what was said, or point at it; they aren't labelled for that."""


def load_lines() -> list[Said]:
    """Return all questions, and the labelled turns as what doesn't ask; each text once."""
    lines: dict[str, Said] = {}
    for name, hand in QUESTIONS.items():
        for row in _rows(CORPUS / f"{name}.jsonl"):
            text = row.get("question") or row.get("text")
            if text:
                _put(lines, text, hand, asks=bool(row.get("asks", True)))
    for path in sorted(CORPUS.glob("turns_*.jsonl")):
        source = path.stem.rpartition("_")[0]
        for row in _rows(path) if source not in _POINTING_BACK else ():
            _put(lines, row["text"], source, asks=False)
    return list(lines.values())


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(row) for row in path.read_text("utf-8").splitlines()]


def _put(lines: dict[str, Said], text: str, hand: str, *, asks: bool) -> None:
    folded = fold(text).lower().strip()
    lines.setdefault(folded, Said(folded, hand, asks))


def fit(lines: Sequence[Said]) -> Weights:
    """Fit the weights of one language by logistic regression with a ridge (Newton's steps, conjugate gradients)."""
    table = _Table.of(lines)
    asks = np.array([line.asks for line in lines], np.float64)
    weigh = np.array([_QUESTIONS_WEIGH if line.asks else _weight(line) for line in lines])
    weights, bias = np.zeros(len(table.names)), 0.0
    for _ in range(_STEPS):
        odds = 1 / (1 + np.exp(-(table.times(weights) + bias)))
        wrong = weigh * (odds - asks)
        slope = (-(table.transposed_times(wrong) + _RIDGE * weights), -float(wrong.sum()))
        step, more = _solved(table, weigh * odds * (1 - odds) + 1e-6, slope)
        weights, bias = weights + step, bias + more
    hundredths = np.rint(100 * weights).astype(int).tolist()
    kept = {name: value for name, value in zip(table.names, hundredths, strict=True) if abs(value) >= _SMALL}
    return Weights(round(bias, 3), kept)


def _weight(line: Said) -> float:
    return _GENERAL_WEIGH if line.hand in {"general", "own"} else 1.0


def _solved(table: _Table, curve: Numbers, slope: tuple[Numbers, float]) -> tuple[Numbers, float]:
    step, more = np.zeros(len(table.names)), 0.0
    left, rest = slope
    towards, beside = left.copy(), rest
    size = first = float(left @ left) + rest * rest
    for _ in range(_PRODUCTS):
        bent = curve * (table.times(towards) + beside)
        image, bend = table.transposed_times(bent) + _RIDGE * towards, float(bent.sum())
        length = size / (float(towards @ image) + beside * bend)
        step, more = step + length * towards, more + length * beside
        left, rest = left - length * image, rest - length * bend
        smaller = float(left @ left) + rest * rest
        if smaller < 1e-6 * first:
            break
        towards, beside = left + smaller / size * towards, rest + smaller / size * beside
        size = smaller
    return step, more


def report(lines: Sequence[Said]) -> None:
    """Print what weights find of hands they have not seen; ordinary turns are shared out by their writers."""
    for language in LANGUAGES:
        some = [line for line in lines if line.language == language]
        hands = sorted({line.hand for line in some if line.asks})
        others = sorted({line.hand for line in some} - set(hands))
        share = {**{hand: hand for hand in hands}, **{hand: hands[i % len(hands)] for i, hand in enumerate(others)}}
        false = ordinary = 0
        for hand in hands:
            weights = fit([line for line in some if share[line.hand] != hand])
            left = [line for line in some if share[line.hand] == hand]
            found = [weights.score(line.text, language) > LIKELY for line in left]
            asked = [likely for line, likely in zip(left, found, strict=True) if line.asks]
            sys.stdout.write(f"{language} {hand}: {sum(asked)} of {len(asked)} questions\n")
            false += sum(likely and not line.asks for line, likely in zip(left, found, strict=True))
            ordinary += len(left) - len(asked)
        sys.stdout.write(
            f"{language}: {false} of {ordinary} ordinary turns by the weights, {_by_all(some)} by them and patterns\n"
        )


def _by_all(lines: Sequence[Said]) -> int:
    return sum(read_question(line.text).is_asked for line in lines if not line.asks)


def write(fitted: Mapping[str, Weights]) -> None:
    """Store the weights, a line for each language."""
    shown = {language: {"bias": held.bias, "pieces": held.pieces} for language, held in fitted.items()}
    rows = [f"{json.dumps(key)}: {json.dumps(held, ensure_ascii=False)}" for key, held in shown.items()]
    TARGET.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")


def main() -> None:
    """Fit and tell, or fit and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="store the weights instead of telling figures")
    lines = load_lines()
    if parser.parse_args().write:
        write({language: fit([line for line in lines if line.language == language]) for language in LANGUAGES})
    else:
        report(lines)


if __name__ == "__main__":
    main()
