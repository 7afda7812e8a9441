"""The weights of the learned evidence: linear in the reply's pieces, and in its vector given the user's turn.

What a reply does often shows only against the turn: "let it go cold" keeps somebody from dinner where dinner has just
come. So a matrix stands between the vector of the reply and that of the turn, kept as a product of two narrow ones.
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

from core.stance.gate.decision import GRAVE
from core.stance.gate.grams import BUCKETS, Pieces
from core.stance.gate.lexicon import LexiconError
from core.values import Locale

DIMENSIONS = 512
RANK = 32
"""How many numbers stand between the vector of a reply and that of a turn; more of them change hardly a score."""
ANY, DANGER = "any", "danger"
"""The heads beside those of the rules: whether anything is wrong, and whether the reply had better be replaced."""

Array = NDArray[np.float32]
Scores = Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """What scores must exceed. Most are quantiles of the scores of good replies, so they say how often it errs.

    `worth_encoding`: of the pieces alone, for the vectors to be asked at all. `unit`: of a rule, what one good reply in
    a hundred exceeds; `named`: of a rule, to be named once something was found. `found`: of `suspicion`, to find
    something. `danger` and `danger_at_stake`: of `danger_in`, to fall back, the second where much is at stake.
    """

    worth_encoding: float
    unit: Scores
    named: Scores
    found: float
    danger: float
    danger_at_stake: float

    def suspicion(self, scores: Scores) -> float:
        """Return how much seems wrong: anything at all, and the rule that looks most broken, measured by its unit."""
        return scores[ANY] + max(scores[rule] / unit for rule, unit in self.unit.items())

    def danger_in(self, scores: Scores) -> float:
        """Return how dangerous the reply looks, with a share for the rule that does most harm."""
        return scores[DANGER] + 0.4 * max(scores[rule] / self.unit[rule] for rule in GRAVE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """What the heads weigh.

    `pieces` is (2 x `BUCKETS`, heads), `bias` and `pieces_bias` (heads); `vectors`, for reply and turn, is
    (2, heads, `RANK`, 1 + `DIMENSIONS`), where the 1 lets either speak without the other.
    """

    heads: tuple[str, ...]
    pieces: Array
    pieces_bias: Array
    vectors: Array
    bias: Array
    bars: Mapping[Locale, Bars]

    @classmethod
    def load(cls, file: Traversable | None = None) -> Self:
        """Read the shipped weights.

        Raises:
            LexiconError: the file is missing, damaged or does not fit together.
        """
        source = file if file is not None else files("core.stance.gate") / "weights" / "evidence.npz"
        try:
            with source.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
                about: dict[str, Any] = json.loads(str(arrays["about"]))
                layer = cls(
                    heads=tuple(about["heads"]),
                    pieces=arrays["pieces"].astype(np.float32),
                    pieces_bias=arrays["pieces_bias"].astype(np.float32),
                    vectors=arrays["vectors"].astype(np.float32),
                    bias=arrays["bias"].astype(np.float32),
                    bars={Locale(locale): Bars(**bars) for locale, bars in about["bars"].items()},
                )
        except (OSError, EOFError, ValueError, KeyError, TypeError, BadZipFile) as error:
            raise LexiconError(f"{source.name}: can't be read ({error}); rebuild it") from error
        layer.check(source.name)
        return layer

    def check(self, name: str) -> None:
        """Raise LexiconError unless the arrays have the shapes that the heads ask for."""
        heads = len(self.heads)
        shapes = (self.pieces.shape, self.pieces_bias.shape, self.vectors.shape, self.bias.shape)
        wanted = ((2 * BUCKETS, heads), (heads,), (2, heads, RANK, 1 + DIMENSIONS), (heads,))
        if shapes != wanted or set(self.bars) != set(Locale):
            raise LexiconError(f"{name}: the weights do not fit together: {shapes}")

    def by_pieces(self, pieces: Pieces) -> Array:
        """Score the pieces of a reply for every head; how many a view has makes no difference."""
        scores = self.pieces_bias
        for numbers in filter(None, pieces):
            scores = scores + self.pieces[numbers].sum(axis=0) / np.float32(len(numbers) ** 0.5)
        return scores

    def by_vectors(self, reply: Sequence[float], user: Sequence[float]) -> Array:
        """Score the vectors of a reply and of the user's turn for every head."""
        said, asked = (
            part @ np.concatenate([np.ones(1, dtype=np.float32), np.asarray(vector, dtype=np.float32)])
            for part, vector in zip(self.vectors, (reply, user), strict=True)
        )
        scores: Array = (said * asked).sum(axis=1) + self.bias
        return scores

    def named(self, scores: Array) -> dict[str, float]:
        """Return the scores by the names of their heads."""
        return dict(zip(self.heads, scores.tolist(), strict=True))
