"""Asking for the second opinion: where the rules find nothing, does a text sound as if it claimed something?

It looks at two sentences at a time: one alone often leaves open whose doing it tells ("Turning pages, for me."), and
in a longer text the one that claims would drown. It is for neutral texts: what a scheduled one may tell of its own
activity sounds the same.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Protocol

from core.proactive.claims.reading import Sentence, sentences
from core.proactive.claims.types import ClaimName, Finding
from core.proactive.opinion.layer import CLASSES, Array, shipped
from core.proactive.opinion.pieces import pieces

RULE = "learned"
_LETTER = re.compile(r"[^\W_]")


class Encoder(Protocol):
    """Makes sentence vectors at once. `name` is the model's."""

    name: str

    def encode(self, texts: Sequence[str]) -> list[list[float] | None]:
        """Return one vector of length 1 per text, None for an empty text."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondOpinion:
    """Without `encoder`, or with another than the weights were fitted for, it goes by words and finds far less."""

    encoder: Encoder | None = None

    def ask(self, text: str) -> Finding | None:
        """Return the sentence that most likely claims something a neutral text may not, None if none is likely to."""
        found = tuple(sentence for sentence in sentences(text) if _LETTER.search(sentence.text))
        if not found:
            return None
        pairs = [found[start : start + 2] for start in range(max(len(found) - 1, 1))]
        excess, worst = max(((self._excess(text, pair), pair) for pair in pairs), key=itemgetter(0))
        if excess <= 0:
            return None
        sentence = max(worst, key=lambda one: self._excess(text, (one,)))
        start, end = sentence.span(0, len(sentence.text))
        return Finding(claim=ClaimName.LEARNED, start=start, end=end, rule=RULE)

    def _excess(self, text: str, window: tuple[Sentence, ...]) -> float:
        """Return by how much sentences are above the limits."""
        layer = shipped()
        by_words = objection(layer.by_words(pieces(folded(window)))) - layer.limits["words"]
        return max(by_words, self._by_vector(text, window))

    def _by_vector(self, text: str, window: tuple[Sentence, ...]) -> float:
        layer = shipped()
        if self.encoder is None or self.encoder.name != layer.encoder:
            return -1.0
        start, end = window[0].span(0, 1)[0], window[-1].span(0, len(window[-1].text))[1]
        (vector,) = self.encoder.encode([text[start:end]])
        if vector is None:
            return -1.0
        return objection(layer.with_vector(pieces(folded(window)), vector)) - layer.limits["both"]


BY_WORDS = SecondOpinion()


def folded(window: Sequence[Sentence]) -> str:
    """Return sentences as the pieces are taken from them."""
    return " ".join(sentence.text for sentence in window)


def objection(scores: Array) -> float:
    """Return how much speaks against a text: about 0 to 1."""
    return 1.0 - float(scores[CLASSES.index("none")])
