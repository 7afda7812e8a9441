"""The learned layer: what the words alone leave open, told by weights fitted on the project's own labelled lines.

For each head (mode, domain, …) there are two sets of weights: one over the words (groups of the lexicons, outer shape,
small pieces of the text), one over those and the sentence vector together. The vector is seen by its nearness to those
of the labelled lines, in the directions in which they differ most.
The file is rebuilt with `python -m tests.evals.signal.fit --write`.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from importlib.resources.abc import Traversable
from math import exp
from typing import Any, Self
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from core.errors import CoreError
from core.stance.signal.features import SHAPE, features
from core.stance.signal.grams import forms, grams, parts, words
from core.stance.signal.reading import Reading
from core.values import Locale

Scores = Mapping[str, Mapping[str, float]]
"""For each head the probability of each of its classes."""

Array = NDArray[np.float32]

WORDS = 8192
"""English words of which it is remembered what the layer knows: some thousands make up nearly all that is said."""

NEARNESS = 1.2
"""How far an anchor reaches: a vector at squared distance d is near it by exp(-d / NEARNESS)."""


class LayerError(CoreError):
    """The file of the weights can't be used. The text names the file and the reason."""

    hint = "error.internal"


@dataclass(frozen=True, slots=True)
class Seen:
    """What the layer sees of the words of a turn: its features, and which known pieces it has, how much each weighs."""

    features: Array
    pieces: list[int]
    weights: Array


@dataclass(frozen=True, slots=True)
class Weights:
    """`features` is (features + 1, all classes), the last row the bias; `pieces` (pieces, all classes).

    `anchors` is (anchors, all classes); it has no rows where the vector is not looked at.
    """

    features: Array
    pieces: Array
    anchors: Array

    def outputs(self, seen: Seen) -> Array:
        """Return one number for each class, from the words."""
        known: Array = seen.features @ self.features[:-1] + self.features[-1]
        return known + seen.weights @ self.pieces[seen.pieces]


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """`heads` maps a head to its classes; `pieces` maps a piece of text to its row, `rarity` is what each row weighs.

    `directions` is (dimensions of the model that `encoder` names, those that are kept); `anchors` is (anchors, kept),
    vectors of length 1, which lie in memory one direction after the other: one vector is compared with all of them
    in half the time.
    """

    encoder: str
    groups: tuple[str, ...]
    heads: Mapping[str, tuple[str, ...]]
    pieces: Mapping[str, int]
    rarity: Array
    directions: Array
    anchors: Array
    words: Weights
    both: Weights
    _of_words: dict[str, tuple[int, ...]] = field(default_factory=dict, repr=False, compare=False)

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
                layer = cls(
                    encoder=about["encoder"],
                    groups=tuple(about["groups"]),
                    heads={head: tuple(classes) for head, classes in about["heads"].items()},
                    pieces={piece: row for row, piece in enumerate(about["pieces"])},
                    rarity=arrays["rarity"].astype(np.float32),
                    directions=_restored(arrays, "directions"),
                    anchors=np.asfortranarray(_restored(arrays, "anchors")),
                    words=_weights(arrays, "words"),
                    both=_weights(arrays, "both"),
                )
        except (OSError, EOFError, ValueError, KeyError, BadZipFile) as error:
            raise LayerError(f"{source.name}: can't be read ({error}); rebuild it") from error
        layer.check(source.name)
        return layer

    def check(self, name: str) -> None:
        """Raise LayerError unless the arrays have the shapes that groups, pieces and heads ask for."""
        outputs = sum(len(classes) for classes in self.heads.values())
        inputs = len(self.groups) + len(SHAPE) + 1
        for part, anchors in ((self.words, 0), (self.both, len(self.anchors))):
            found = (part.features.shape, part.pieces.shape, part.anchors.shape)
            wanted = ((inputs, outputs), (len(self.pieces), outputs), (anchors, outputs))
            if found != wanted or self.rarity.shape != (len(self.pieces),):
                raise LayerError(f"{name}: weights have shapes {found}, not {wanted}")
        if self.directions.shape[1:] != self.anchors.shape[1:]:
            raise LayerError(f"{name}: directions {self.directions.shape} do not lead to anchors {self.anchors.shape}")

    def see(self, reading: Reading) -> Seen:
        """Return what the words of a turn are to this layer."""
        pieces: list[int] = []
        weights: list[Array] = []
        for found in (self._rows(grams(reading)), self._rows_of_forms(reading)):
            rarity = self.rarity[found]
            weights.append(rarity / max(float(np.sqrt(rarity @ rarity)), 1.0))
            pieces += found
        shape = np.asarray(features(reading, self.groups), dtype=np.float32)
        return Seen(shape, pieces, np.concatenate(weights))

    def _rows(self, pieces: Iterable[str]) -> list[int]:
        """Return the rows of the pieces that are known, in order: sums of floats depend on it, and a set has none."""
        return sorted(row for row in map(self.pieces.get, pieces) if row is not None)

    def _rows_of_forms(self, reading: Reading) -> list[int]:
        if Locale.JA in reading.forms:
            return self._rows(forms(reading))
        return sorted({row for word in words(reading) for row in self._rows_of_word(word)})

    def _rows_of_word(self, word: str) -> tuple[int, ...]:
        known = self._of_words.get(word)
        if known is None:
            if len(self._of_words) >= WORDS:
                self._of_words.clear()
            known = self._of_words[word] = tuple(self._rows(parts(word)))
        return known

    def by_words(self, seen: Seen) -> Scores:
        """Score a turn by its words alone."""
        return self.scores(self.words.outputs(seen))

    def with_vector(self, seen: Seen, vector: Sequence[float]) -> Scores:
        """Score a turn by its words and its sentence vector (of length 1)."""
        kept = reduced(np.asarray(vector, dtype=np.float32)[None], self.directions)
        near = nearness(kept, self.anchors)[0]
        return self.scores(self.both.outputs(seen) + near @ self.both.anchors)

    def scores(self, outputs: Array) -> Scores:
        """Turn the outputs of all classes, one after the other, into the probabilities of each head."""
        values = outputs.tolist()
        scores: dict[str, dict[str, float]] = {}
        start = 0
        for head, classes in self.heads.items():
            part = values[start : start + len(classes)]
            top = max(part)
            odds = [exp(value - top) for value in part]
            total = sum(odds)
            scores[head] = {name: value / total for name, value in zip(classes, odds, strict=True)}
            start += len(classes)
        return scores


def reduced(vectors: Array, directions: Array) -> Array:
    """Return the vectors in the directions that are kept, brought to length 1 again; an empty text's stays 0."""
    kept = vectors @ directions
    lengths = np.linalg.norm(kept, axis=1, keepdims=True)
    short: Array = kept / np.maximum(lengths, 1e-6)
    return short


def nearness(vectors: Array, anchors: Array) -> Array:
    """Return how near each vector is to each anchor, (vectors, anchors); all of length 1, or 0 for an empty text."""
    squares = np.einsum("ij,ij->i", vectors, vectors)[:, None] + 1.0
    near: Array = np.exp((2.0 * vectors @ anchors.T - squares) / NEARNESS)
    return near


def _weights(arrays: Mapping[str, Any], name: str) -> Weights:
    return Weights(
        features=arrays[f"{name}_features"].astype(np.float32),
        pieces=_restored(arrays, f"{name}_pieces"),
        anchors=arrays[f"{name}_anchors"].astype(np.float32),
    )


def _restored(arrays: Mapping[str, Any], name: str) -> Array:
    """Undo the rounding to one byte a number."""
    restored: Array = arrays[name].astype(np.float32) * arrays[f"{name}_scale"].astype(np.float32)
    return restored
