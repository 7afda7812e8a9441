"""Fit the map from questions to their answers, measure it, write it.

python -m tests.evals.recall.fit --hands     each hand's paraphrases among 10,000 messages, by a map it had no part in
python -m tests.evals.recall.fit --write     fitted on all hands, written to core/recall/turning.npz
"""

import argparse
import asyncio
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.recall.turning import Turning
from tests.evals.recall.pools import Asked, Pool, pool_of

TARGET = Path(__file__).parents[3] / "core/recall/turning.npz"
PLACES = 200
_TEMPERATURE = 0.1
_HOLD = 0.15
"""How strongly the map is held back towards changing nothing."""
_ROUNDS = 50
_STEP = 0.1
_KEEP = 0.9
_OTHERS = 1_500
"""Messages that don't answer, drawn anew in each round."""

Numbers = NDArray[np.float32]


def fit(pools: Sequence[Pool], *, without: str = "") -> Turning:
    """Return the map under which answers stand above other messages, fitted without the questions of one hand."""
    draw = np.random.default_rng(0)
    matrix, pace = np.zeros((512, 512), np.float32), np.zeros((512, 512), np.float32)
    of_pools = [(pool, [asked for asked in pool.questions if asked.hand != without]) for pool in pools]
    count = sum(len(questions) for _, questions in of_pools)
    for _ in range(_ROUNDS):
        slope = np.float32(_HOLD) * matrix
        for pool, questions in of_pools:
            slope += _slope(pool, questions, matrix, draw) / np.float32(count)
        pace = np.float32(_KEEP) * pace + np.float32(1 - _KEEP) * slope
        matrix = matrix - np.float32(_STEP) * pace
    return Turning(matrix)


def _slope(pool: Pool, questions: Sequence[Asked], matrix: Numbers, draw: np.random.Generator) -> Numbers:
    answers = np.array([asked.answers[0] for asked in questions])
    others = draw.choice(pool.own, min(_OTHERS, len(pool.own)), replace=False)
    columns = np.concatenate([answers, others])
    directions = np.stack([asked.direction for asked in questions])
    plain = np.stack([asked.plain[columns] for asked in questions])
    likeness = (plain + directions @ matrix @ pool.rows[columns].T) / np.float32(_TEMPERATURE)
    right = np.arange(len(questions))
    twice = columns[None, :] == answers[:, None]
    twice[right, right] = False
    likeness[twice] = -np.inf
    shares = np.exp(likeness - likeness.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    shares[right, right] -= 1
    slope: Numbers = directions.T @ (shares @ pool.rows[columns]) / np.float32(_TEMPERATURE)
    return slope


def shown(pool: Pool, turning: Turning | None, hand: str) -> tuple[int, int]:
    """Return how many paraphrases of a hand have an answer in the list, and how many there are."""
    asked = [one for one in pool.questions if one.hand == hand and one.is_paraphrase]
    return sum(pool.is_shown(one, turning, places=PLACES) for one in asked), len(asked)


def stored(turning: Turning) -> Mapping[str, NDArray[np.int8] | np.float32]:
    """Return the map as it is stored: a byte a number."""
    step = np.float32(np.abs(turning.matrix).max() / 127)
    return {"matrix": np.round(turning.matrix / step).astype(np.int8), "step": step}


def main() -> None:
    """Measure or write."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--hands", action="store_true")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    pools = [asyncio.run(pool_of(language)) for language in ("en", "ja")]
    if given.hands:
        for hand in sorted({asked.hand for pool in pools for asked in pool.questions}):
            turning = fit(pools, without=hand)
            for pool in pools:
                before, after = shown(pool, None, hand), shown(pool, turning, hand)
                if after[1]:
                    sys.stdout.write(f"{hand} {pool.language}: {before[0]}, now {after[0]} of {after[1]}\n")
    if given.write:
        np.savez_compressed(TARGET, **stored(fit(pools)))  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
