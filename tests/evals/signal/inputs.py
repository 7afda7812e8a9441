"""What the layer is fitted on: what it sees of each line, scaled, and what vectors are compared by."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.embedding.encoder import DIMENSIONS, SentenceEncoder
from core.stance.signal.features import features
from core.stance.signal.grams import forms, grams
from core.stance.signal.layer import reduced
from core.stance.signal.reading import Reader
from tests.evals.signal.lines import Line

Array = NDArray[np.float32]

DIRECTIONS = 112
"""In how many directions vectors are compared: those in which the lines differ most."""
RAREST = (6, 12)
"""A gram, a form in fewer lines than this is not kept."""
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
_SHARE = 0.5
"""How much features, grams and forms each weigh against the sentence vector, which weighs 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Lines with what the layer sees of them, row by row; `groups` names the features, `pieces` are grams and forms."""

    lines: Sequence[Line]
    groups: tuple[str, ...]
    features: Array
    pieces: Sequence[tuple[frozenset[str], frozenset[str]]]
    vectors: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """The inputs of every line of the table. `words` are scaled by `scales`; `near` are reduced vectors, 0 for none."""

    pieces: dict[str, int]
    rarity: Array
    scales: Array
    words: Array
    near: Array
    directions: Array


def tabulate(lines: Sequence[Line], reader: Reader) -> Table:
    """Read and encode every line."""
    groups = tuple(sorted({name for lexicon in reader.lexicons.values() for name in lexicon.names} - RULES_ALONE))
    readings = [reader.read(line.text) for line in lines]
    vectors = asyncio.run(SentenceEncoder().embed([reading.text for reading in readings]))
    return Table(
        lines=lines,
        groups=groups,
        features=np.array([features(reading, groups) for reading in readings], dtype=np.float32),
        pieces=[(frozenset(grams(reading)), frozenset(forms(reading))) for reading in readings],
        vectors=np.array([vector or [0.0] * DIMENSIONS for vector in vectors], dtype=np.float32),
    )


def inputs_of(table: Table, rows: NDArray[np.int_]) -> Inputs:
    """Scale what is seen of every line by what is usual in the given rows."""
    names: list[str] = []
    rarities: list[Array] = []
    blocks = [table.features]
    for kind in range(len(RAREST)):
        kept, rarity, bags = _bags(table, rows, kind)
        names += kept
        rarities.append(rarity)
        blocks.append(bags)
    scales = [np.full(block.shape[1], _scale(block[rows]), dtype=np.float32) for block in blocks]
    directions = _directions(table.vectors[rows])
    return Inputs(
        pieces={piece: index for index, piece in enumerate(names)},
        rarity=np.concatenate(rarities),
        scales=np.concatenate(scales),
        words=np.hstack([block * scale for block, scale in zip(blocks, scales, strict=True)]),
        near=reduced(table.vectors, directions),
        directions=directions,
    )


def _bags(table: Table, rows: NDArray[np.int_], kind: int) -> tuple[list[str], Array, Array]:
    """Return the pieces of a kind that are kept, how much each weighs, and which of them each line has."""
    counts = Counter(piece for row in rows for piece in table.pieces[row][kind])
    kept = sorted(piece for piece, count in counts.items() if count >= RAREST[kind])
    places = {piece: index for index, piece in enumerate(kept)}
    rarity = np.array([np.log(len(rows) / counts[piece]) ** 0.5 for piece in kept], dtype=np.float32)
    bags = np.zeros((len(table.lines), len(kept)), dtype=np.float32)
    for row, found in enumerate(table.pieces):
        known = [places[piece] for piece in found[kind] if piece in places]
        bags[row, known] = rarity[known]
    bags /= np.maximum(np.linalg.norm(bags, axis=1, keepdims=True), 1.0)
    return kept, rarity, bags


def _scale(block: Array) -> float:
    return float((_SHARE / np.mean(np.sum(block**2, axis=1))) ** 0.5)


def _directions(vectors: Array) -> Array:
    _, directions = np.linalg.eigh((vectors.T @ vectors).astype(np.float64))
    return rounded(directions[:, -DIRECTIONS:].astype(np.float32))


def rounded(array: Array) -> Array:
    """Return the array as it comes back from one byte a number."""
    scale = scale_of(array)
    return (np.round(array / scale) * scale).astype(np.float32)


def scale_of(array: Array) -> Array:
    """Return for each column what one step of a byte stands for."""
    widest: Array = np.maximum(np.abs(array).max(axis=0), 1e-9) / 127
    return widest.astype(np.float16).astype(np.float32)
