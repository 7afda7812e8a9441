"""Asking for the second opinion about a named time, and about a sentence."""

from collections.abc import Iterator

from core.facts.time_claims.learned.features import Namespaced, around, of_sentence
from core.facts.time_claims.learned.layer import shipped
from core.facts.time_claims.reading import Sentence
from core.facts.time_claims.rules import SCRIPTS

MOMENT, DOING = "moment", "doing"
WORD_FRAME = "word"
"""What stands for the frame where a mere word for a part of the day or a season was found."""


def names_the_present(sentence: Sentence, span: tuple[int, int], frame: str, locale: str) -> bool:
    """Return whether a time, day or season that no rule takes for a claim sounds as if it were the present one."""
    half = shipped()[MOMENT, locale]
    return half.score(moment_features(sentence, span, frame, locale)) >= half.limit


def sounds_like_doing(text: str, locale: str) -> bool | None:
    """Return whether a sentence sounds like a doing or a state of the speaker's own; None where it is in doubt."""
    half = shipped()[DOING, locale]
    score = half.score(doing_features(text, locale))
    return None if half.doubt < score < half.limit else score >= half.limit


def moment_features(sentence: Sentence, span: tuple[int, int], frame: str, locale: str) -> Iterator[Namespaced]:
    """Give what the layer knows a named time by."""
    start, end = span
    yield "p", _posture(sentence, start)
    yield from around(sentence.text, start, end, frame, locale)


def doing_features(text: str, locale: str) -> Iterator[Namespaced]:
    """Give what the layer knows a sentence by."""
    yield "s", of_sentence(text, locale)


def language_of(text: str) -> str | None:
    """Return the language whose layer a sentence is for, None if it has no letters."""
    return next((locale for locale, script in SCRIPTS.items() if script.search(text)), None)


def _posture(sentence: Sentence, start: int) -> list[str]:
    return ["asks" if sentence.asks() else "tells", "opens" if start == 0 else "within"]
