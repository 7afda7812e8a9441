"""What the layer is fitted on: what it sees of each line, scaled, and the anchors that vectors are compared with."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.embedding.encoder import DIMENSIONS, SentenceEncoder
from core.stance.signal.features import features
from core.stance.signal.grams import grams
from core.stance.signal.layer import nearness
from core.stance.signal.reading import Reader
from tests.evals.signal.lines import Line

Array = NDArray[np.float32]

ANCHORS = 900
RAREST = 6
"""A piece of text in fewer lines than this is not kept."""
RULES_ALONE = frozenset(
    {
        "wish_to_die",
        "means_at_hand",
        "preparation",
        "self_harm",
        "acute_illness",
        "violence_now",
        "child_in_danger",
    }
)
"""Groups the layer does not see. Their patterns were written while dev lines were read, where they hit far oftener than
in any others: a layer that saw them would rely on them and fall silent where they are. The rules ask them anyway."""
_SHARES = {"features": 0.5, "pieces": 0.5}
"""How much words and pieces weigh against the sentence vector, which weighs 1."""
_FLATTEST = 1e-2
"""Directions in which the anchors hardly differ are not blown up beyond this: single precision could not tell them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Lines with what the layer sees of them, row by row; `groups` names the features."""

    lines: Sequence[Line]
    groups: tuple[str, ...]
    features: Array
    grams: Sequence[frozenset[str]]
    vectors: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """The inputs of every line of the table, scaled; `near` is whitened nearness, `whitening` leads to it."""

    pieces: dict[str, int]
    rarity: Array
    scales: dict[str, float]
    words: Array
    near: Array
    anchors: Array
    whitening: Array


def tabulate(lines: Sequence[Line], reader: Reader) -> Table:
    """Read and encode every line."""
    groups = tuple(sorted({name for lexicon in reader.lexicons.values() for name in lexicon.names} - RULES_ALONE))
    readings = [reader.read(line.text) for line in lines]
    vectors = asyncio.run(SentenceEncoder().embed([reading.text for reading in readings]))
    return Table(
        lines=lines,
        groups=groups,
        features=np.array([features(reading, groups) for reading in readings], dtype=np.float32),
        grams=[frozenset(grams(reading)) for reading in readings],
        vectors=np.array([vector or [0.0] * DIMENSIONS for vector in vectors], dtype=np.float32),
    )


def inputs_of(table: Table, rows: NDArray[np.int_]) -> Inputs:
    """Scale what is seen of every line by what is usual in the given rows."""
    counts = Counter(piece for row in rows for piece in table.grams[row])
    kept = sorted(piece for piece, count in counts.items() if count >= RAREST)
    pieces = {piece: index for index, piece in enumerate(kept)}
    rarity = np.array([np.log(len(rows) / counts[piece]) ** 0.5 for piece in kept], dtype=np.float32)
    bags = np.zeros((len(table.lines), len(kept)), dtype=np.float32)
    for row, found in enumerate(table.grams):
        known = [pieces[piece] for piece in found if piece in pieces]
        bags[row, known] = rarity[known]
    bags /= np.maximum(np.linalg.norm(bags, axis=1, keepdims=True), 1.0)
    scales = {
        "features": float((_SHARES["features"] / np.mean(np.sum(table.features[rows] ** 2, axis=1))) ** 0.5),
        "pieces": float((_SHARES["pieces"] / np.mean(np.sum(bags[rows] ** 2, axis=1))) ** 0.5),
    }
    anchors = _anchors(table.vectors[rows])
    values, directions = np.linalg.eigh(nearness(anchors, anchors).astype(np.float64))
    whitening = (directions / np.sqrt(np.maximum(values, _FLATTEST))).astype(np.float32)
    return Inputs(
        pieces=pieces,
        rarity=rarity,
        scales=scales,
        words=np.hstack([table.features * scales["features"], bags * scales["pieces"]]),
        near=nearness(table.vectors, anchors) @ whitening,
        anchors=anchors,
        whitening=whitening,
    )


def _anchors(vectors: Array) -> Array:
    """Choose one vector after another, each the one that those before it tell least about."""
    left = np.einsum("ij,ij->i", vectors, vectors).astype(np.float64)  # 1, or 0 where there was no text
    told = np.zeros((ANCHORS, len(vectors)))
    chosen: list[int] = []
    for index in range(min(ANCHORS, len(vectors))):
        pick = int(np.argmax(left))
        chosen.append(pick)
        near = nearness(vectors[pick][None], vectors)[0].astype(np.float64)
        told[index] = (near - told[:index].T @ told[:index, pick]) / max(left[pick], 1e-9) ** 0.5
        left = np.maximum(left - told[index] ** 2, 0.0)
        left[pick] = 0.0
    return rounded(vectors[chosen])


def rounded(array: Array) -> Array:
    """Return the array as it comes back from one byte a number."""
    scale = scale_of(array)
    return (np.round(array / scale) * scale).astype(np.float32)


def scale_of(array: Array) -> Array:
    """Return for each column what one step of a byte stands for."""
    widest: Array = np.maximum(np.abs(array).max(axis=0), 1e-9) / 127
    return widest.astype(np.float16).astype(np.float32)
