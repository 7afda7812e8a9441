"""The weights of the second opinion, fitted on the project's own labelled lines.

The file is rebuilt with `python -m tests.evals.claims.fit --write`. It holds, for each task ("moment", "doing") and
language, the features with a weight (a whole number times a scale), a bias and two limits.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import repeat
from math import sqrt
from types import MappingProxyType
from typing import Any
from zipfile import BadZipFile

import numpy as np

from core.errors import CoreError

SEPARATOR = "\t"
_NOTHING = repeat(0)


class ClaimLayerError(CoreError):
    """The file of the weights can't be used. The text names the file and the reason."""

    hint = "error.internal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Half:
    """One task in one language.

    `weights` by kind of feature and feature, in units of `scale`. From `limit` up it is a claim, up to `doubt` none.
    """

    weights: Mapping[str, Mapping[str, int]]
    scale: float
    bias: float
    limit: float
    doubt: float

    def score(self, namespaced: Iterable[tuple[str, Sequence[str]]]) -> float:
        """Return about 1 for a claim, about 0 for none."""
        total = count = 0
        for name, features in namespaced:
            count += len(features)
            total += sum(map(self.weights[name].get, features, _NOTHING))
        return self.of(total, count)

    def of(self, total: int, count: int) -> float:
        """Return the score of so many features that weigh so much together."""
        return self.bias + self.scale * total / sqrt(count or 1)


def load(file: Traversable | None = None) -> Mapping[tuple[str, str], Half]:
    """Read the weights, by task and language.

    Raises:
        ClaimLayerError: the file is missing, damaged or does not fit together.
    """
    source = file if file is not None else files("core.facts.time_claims.learned") / "layer.npz"
    try:
        with source.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
            about: list[dict[str, Any]] = json.loads(str(arrays["about"]))
            return MappingProxyType({(entry["task"], entry["locale"]): _half(entry, arrays) for entry in about})
    except (OSError, EOFError, ValueError, KeyError, BadZipFile) as error:
        raise ClaimLayerError(f"{source.name}: can't be read ({error}); rebuild it") from error


def _half(entry: Mapping[str, Any], arrays: Mapping[str, Any]) -> Half:
    name = f"{entry['task']}_{entry['locale']}"
    features = arrays[f"{name}_features"].tobytes().decode("utf-8").split("\n")
    weights: dict[str, dict[str, int]] = {kind: {} for kind in entry["kinds"]}
    for feature, weight in zip(features, arrays[f"{name}_weights"].tolist(), strict=True):
        kind, _, key = feature.partition(SEPARATOR)
        weights[kind][key] = weight
    return Half(weights=weights, scale=entry["scale"], bias=entry["bias"], limit=entry["limit"], doubt=entry["doubt"])


@cache
def shipped() -> Mapping[tuple[str, str], Half]:
    """Return the shipped weights, read once."""
    return load()
