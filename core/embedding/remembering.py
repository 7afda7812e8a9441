"""An encoder for runs in which the same texts come up again and again."""

from collections.abc import Sequence

from core.embedding.encoder import SentenceEncoder


class RememberingEncoder(SentenceEncoder):
    """Encodes each text once."""

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[str, list[float]] = {}

    async def embed(self, texts: Sequence[str]) -> list[list[float] | None]:
        """Return what `SentenceEncoder.embed` returns; what is known, without a thread."""
        if all(text in self._known for text in texts):
            return [self._known[text] for text in texts]
        return await super().embed(texts)

    def _encode(self, texts: list[str]) -> list[list[float]]:
        if new := [text for text in dict.fromkeys(texts) if text not in self._known]:
            self._known.update(zip(new, super()._encode(new), strict=True))
        return [self._known[text] for text in texts]
