"""A remote embedding model in the width that everything here is compared in."""

from collections.abc import Sequence

from core.ports import Embedder

_DIMENSIONS = 512


class FirstDimensions:
    """The first 512 numbers of a model's vectors, zeros for what is missing (`core.ports.Embedder`)."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    @property
    def name(self) -> str:
        """The model's name."""
        return self._embedder.name

    async def embed(self, texts: Sequence[str]) -> list[list[float] | None]:
        """Return one vector per text, None for an empty text."""
        return [None if vector is None else _cut(vector) for vector in await self._embedder.embed(texts)]


def _cut(vector: list[float]) -> list[float]:
    kept = vector[:_DIMENSIONS]
    return kept + [0.0] * (_DIMENSIONS - len(kept))
