"""An encoder for runs in which the same texts come up again and again."""

from core.embedding.encoder import SentenceEncoder


class RememberingEncoder(SentenceEncoder):
    """Encodes each text once."""

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[str, list[float]] = {}

    def _encode(self, texts: list[str]) -> list[list[float]]:
        if new := [text for text in dict.fromkeys(texts) if text not in self._known]:
            self._known.update(zip(new, super()._encode(new), strict=True))
        return [self._known[text] for text in texts]
