"""The weights of the second opinion, fitted on the project's own labelled lines.

There are two sets: one over the pieces of a text alone, one over those and how close its sentence vector is to each of
some hundred landmarks. The file is rebuilt with `python -m tests.evals.admission.fit --write`.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Self
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from core.errors import CoreError
from core.proactive.opinion.pieces import WIDTH

Array = NDArray[np.float32]

CLASSES = ("none", "doing", "moment", "reader")
"""What a text may claim: nothing, something about the character, the moment, the reader."""
LANDMARK_SCALE = 1 / 512
"""What the whole numbers of the landmarks are multiplied with."""
_NARROWNESS, _WEIGHT = 2.0, 2.0


class LayerError(CoreError):
    """The file of the weights can't be used. The text names the file and the reason."""

    hint = "error.internal"


def closeness(vectors: Array, landmarks: Array) -> Array:
    """Return how close vectors (of length 1, one a row) are to landmarks: between 0 and `_WEIGHT`."""
    return np.asarray(_WEIGHT * np.exp(_NARROWNESS * (vectors @ landmarks.T - 1.0)), dtype=np.float32)


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """`words`: (WIDTH + 1, classes), the last row is the bias. `both`: the same, with one row per landmark before it.

    `encoder` names the model of the vectors; the limits tell from which score on a text is taken to claim something.
    """

    encoder: str
    limits: dict[str, float]
    words: Array
    both: Array
    landmarks: Array

    @classmethod
    def load(cls, file: Traversable | None = None) -> Self:
        """Read the shipped weights.

        Raises:
            LayerError: the file is missing, damaged or does not fit together.
        """
        source = file if file is not None else files("core.proactive.opinion") / "layer.npz"
        try:
            with source.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
                about: dict[str, Any] = json.loads(str(arrays["about"]))
                layer = cls(
                    encoder=about["encoder"],
                    limits=about["limits"],
                    words=arrays["words"].astype(np.float32),
                    both=arrays["both"].astype(np.float32),
                    landmarks=arrays["landmarks"].astype(np.float32) * np.float32(LANDMARK_SCALE),
                )
        except (OSError, EOFError, ValueError, KeyError, BadZipFile) as error:
            raise LayerError(f"{source.name}: can't be read ({error}); rebuild it") from error
        layer.check(source.name)
        return layer

    def check(self, name: str) -> None:
        """Raise LayerError unless the arrays fit together."""
        wanted = ((WIDTH + 1, len(CLASSES)), (len(self.landmarks) + WIDTH + 1, len(CLASSES)))
        if (self.words.shape, self.both.shape) != wanted:
            raise LayerError(f"{name}: weights have shapes {self.words.shape}, {self.both.shape}, not {wanted}")

    def by_words(self, pieces: Array) -> Array:
        """Score a text by its pieces: one number per class, about 0 to 1."""
        return np.asarray(pieces @ self.words[:-1] + self.words[-1], dtype=np.float32)

    def with_vector(self, pieces: Array, vector: Sequence[float]) -> Array:
        """Score a text by its pieces and its sentence vector."""
        close = closeness(np.asarray(vector, dtype=np.float32), self.landmarks)
        return np.asarray(np.concatenate([close, pieces]) @ self.both[:-1] + self.both[-1], dtype=np.float32)


@cache
def shipped() -> Layer:
    """Return the shipped weights, read once."""
    return Layer.load()
