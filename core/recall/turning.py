"""From what a question means to what its answers mean: the encoder puts them near each other, but not at one place.

A question without the words of its answer ("where did the coat ticket get to?") lies among other questions. A linear
map, fitted on questions and the messages that answer them (`tests/evals/recall/fit.py`), turns its direction towards
where such messages lie. It costs one product for each question, and nothing for a message.
"""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float32]

MODEL = "universal-sentence-encoder-multilingual-3"
"""The encoder whose vectors it is fitted on; for those of another it would mean nothing."""


@dataclass(frozen=True, slots=True)
class Turning:
    """What is added to a direction: the direction times `matrix`, (512, 512)."""

    matrix: Numbers

    def of(self, direction: Numbers) -> Numbers:
        """Return where the answers of a question lie, (512,)."""
        turned: Numbers = direction + direction @ self.matrix
        return turned


@cache
def turning_for(model: str) -> Turning | None:
    """Return the map for the vectors of an encoder, None where there is none; reads a file the first time."""
    if model != MODEL:
        return None
    with (files("core.recall") / "turning.npz").open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
        return Turning(arrays["matrix"].astype(np.float32) * np.float32(arrays["step"]))
