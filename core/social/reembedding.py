"""One embedding model for the whole system: another is refused until every vector was made anew with it."""

from collections.abc import Callable
from dataclasses import dataclass

from core.errors import CoreError, ModelOutputError
from core.ports import Embedder, EmbeddingStore
from core.social.vectors import encode

_AT_ONCE = 64


class EmbeddingMismatchError(CoreError):
    """The vectors in the database are of another model than the one that is set."""

    def __init__(self, stored: str, wanted: str) -> None:
        super().__init__(
            f"The vectors in the database were made with the embedding model '{stored}', but '{wanted}' is set. "
            f"Vectors of different models can't be compared: run `yorisoi reembed` to make them anew, "
            f"or set YORISOI_EMBEDDING_MODEL back."
        )
        self.stored = stored
        self.wanted = wanted


async def require_model(store: EmbeddingStore, model: str) -> None:
    """Make sure that the database's vectors are of a model; record it where there is none yet.

    Raises:
        EmbeddingMismatchError: they are of another one, or were only partly made anew.
    """
    stored = await store.settle(model)
    if stored != model:
        raise EmbeddingMismatchError(stored, model)
    if await store.count_outdated(model):
        raise EmbeddingMismatchError("another one, in part", model)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reembedding:
    """Makes every vector anew. It can be broken off at any time and goes on where it was."""

    store: EmbeddingStore
    embedder: Embedder

    async def run(self, progress: Callable[[int, int], None]) -> int:
        """Return how many vectors were made anew; `progress` is told how many of how many are done.

        Raises:
            ModelError: the embedding model gave no answer; what was done stays done.
        """
        model = self.embedder.name
        total, done = await self.store.count_outdated(model), 0
        progress(done, total)
        while outdated := await self.store.outdated(model, limit=_AT_ONCE):
            vectors = await self.embedder.embed([of.text for of in outdated])
            await self.store.renew(
                model, [(of, encode(vector or ()).tobytes()) for of, vector in zip(outdated, vectors, strict=True)]
            )
            done += len(outdated)
            progress(done, max(total, done))
        if not await self.store.switch(model):
            raise ModelOutputError("vectors of another model were added meanwhile; run it again")
        return done
