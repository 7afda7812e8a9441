"""Vectors of the last few texts, for those who ask about the same turn one after the other."""

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

from core.embedding.encoder import SentenceEncoder

MOST = 32
"""Texts whose vectors are kept, in memory only."""

Vectors = list[list[float] | None]


class RecentVectors:
    """An encoder that encodes a text once as long as it is among the last few (`core.ports.Embedder`).

    A turn is looked at when it comes in and again with each reply to it; encoding is nearly all that such a look takes.
    """

    def __init__(self, encoder: SentenceEncoder, most: int = MOST) -> None:
        self._encoder = encoder
        self._most = most
        self._known: OrderedDict[str, list[float] | None] = OrderedDict()
        self._lock = Lock()

    @property
    def name(self) -> str:
        """The name of the model behind it."""
        return self._encoder.name

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one vector per text, None for an empty text."""
        known, new = self._look_up(texts)
        return self._joined(texts, known, new, await self._encoder.embed(new) if new else [])

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return the same at once, on the calling thread."""
        known, new = self._look_up(texts)
        return self._joined(texts, known, new, self._encoder.encode(new) if new else [])

    def _look_up(self, texts: Sequence[str]) -> tuple[dict[str, list[float] | None], list[str]]:
        with self._lock:
            known = {text: self._known[text] for text in texts if text in self._known}
        return known, [text for text in dict.fromkeys(texts) if text not in known]

    def _joined(
        self, texts: Sequence[str], known: dict[str, list[float] | None], new: Sequence[str], encoded: Vectors
    ) -> Vectors:
        known |= dict(zip(new, encoded, strict=True))
        with self._lock:
            for text in texts:
                self._known[text] = known[text]
                self._known.move_to_end(text)
            while len(self._known) > self._most:
                self._known.popitem(last=False)
        return [known[text] for text in texts]
