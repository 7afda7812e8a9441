"""The linear layer: what the words alone leave open, told by weights fitted on the project's own labelled lines.

For each head (mode, domain, …) there are two sets of weights: one over the features of the words, one over those and
the sentence vector together. The file is rebuilt with `python -m tests.evals.signal.fit --write`.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Self
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from core.errors import CoreError
from core.stance.signal.features import SHAPE

Scores = Mapping[str, Mapping[str, float]]
"""For each head the probability of each of its classes."""

Array = NDArray[np.float32]


class LayerError(CoreError):
    """The file of the weights can't be used. The text names the file and the reason."""

    hint = "error.internal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """`heads` maps a head to its classes. `words` and `both` are (features + 1, all classes); the last row is the bias.

    `word_scale` is what the features are multiplied with before they meet the weights; `encoder` names the model whose
    vectors (of `dimensions` numbers) `both` was fitted on.
    """

    encoder: str
    dimensions: int
    groups: tuple[str, ...]
    heads: Mapping[str, tuple[str, ...]]
    word_scale: float
    words: Array
    both: Array

    @classmethod
    def load(cls, file: Traversable | None = None) -> Self:
        """Read the shipped weights.

        Raises:
            LayerError: the file is missing, damaged or does not fit together.
        """
        source = file if file is not None else files("core.stance.signal") / "layer.npz"
        try:
            with source.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
                about: dict[str, Any] = json.loads(str(arrays["about"]))
                words = arrays["words"].astype(np.float32)
                both = arrays["both"].astype(np.float32)
        except (OSError, EOFError, ValueError, KeyError, BadZipFile) as error:
            raise LayerError(f"{source.name}: can't be read ({error}); rebuild it") from error
        layer = cls(
            encoder=about["encoder"],
            dimensions=about["dimensions"],
            groups=tuple(about["groups"]),
            heads={head: tuple(classes) for head, classes in about["heads"].items()},
            word_scale=about["word_scale"],
            words=words,
            both=both,
        )
        layer.check(source.name)
        return layer

    def check(self, name: str) -> None:
        """Raise LayerError unless the arrays have the shapes that groups and heads ask for."""
        outputs = sum(len(classes) for classes in self.heads.values())
        inputs = len(self.groups) + len(SHAPE) + 1
        wanted = ((inputs, outputs), (inputs + self.dimensions, outputs))
        if (self.words.shape, self.both.shape) != wanted:
            raise LayerError(f"{name}: weights have shapes {self.words.shape}, {self.both.shape}, not {wanted}")

    def by_words(self, features: Sequence[float]) -> Scores:
        """Score a turn by its words alone."""
        inputs = np.asarray(features, dtype=np.float32) * self.word_scale
        return self._scores(inputs @ self.words[:-1] + self.words[-1])

    def with_vector(self, features: Sequence[float], vector: Sequence[float]) -> Scores:
        """Score a turn by its words and its sentence vector."""
        scaled = np.asarray(features, dtype=np.float32) * self.word_scale
        inputs = np.concatenate([np.asarray(vector, dtype=np.float32), scaled])
        return self._scores(inputs @ self.both[:-1] + self.both[-1])

    def _scores(self, outputs: Array) -> Scores:
        exponents = np.exp(outputs - outputs.max()).tolist()
        scores: dict[str, dict[str, float]] = {}
        start = 0
        for head, classes in self.heads.items():
            part = exponents[start : start + len(classes)]
            total = sum(part) or 1.0
            scores[head] = {name: value / total for name, value in zip(classes, part, strict=True)}
            start += len(classes)
        return scores
