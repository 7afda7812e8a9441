"""Asking for the second opinion about a named time, and about a sentence."""

from collections.abc import Sequence

from core.facts.time_claims.learned.features import Namespaced, around, of_sentence
from core.facts.time_claims.learned.layer import shipped
from core.facts.time_claims.learned.sentences import DOING, doing_scores
from core.facts.time_claims.reading import Sentence
from core.facts.time_claims.rules import LOCALES, SCRIPTS

MOMENT = "moment"
Opinion = tuple[str | None, bool | None]
"""The language a sentence was judged in (None: it has no letters), and whether it is a claim (None: in doubt)."""
WORD_FRAME = "word"
"""What stands for the frame where a mere word for a part of the day or a season was found."""


def names_the_present(sentence: Sentence, span: tuple[int, int], frame: str, locale: str) -> bool:
    """Return whether a time, day or season that no rule takes for a claim sounds as if it were the present one."""
    half = shipped()[MOMENT, locale]
    return half.score(moment_features(sentence, span, frame, locale)) >= half.limit


def opinions(sentences: Sequence[Sentence]) -> list[Opinion]:
    """Return of each sentence whether it sounds like a doing or a state of the speaker's own."""
    locales = [language_of(sentence.text) for sentence in sentences]
    told: list[Opinion] = [(locale, False) for locale in locales]
    for locale in LOCALES:
        places = [place for place, own in enumerate(locales) if own == locale]
        half = shipped()[DOING, locale]
        for place, score in zip(places, doing_scores([sentences[at].text for at in places], locale), strict=True):
            told[place] = locale, None if half.doubt < score < half.limit else score >= half.limit
    return told


def moment_features(sentence: Sentence, span: tuple[int, int], frame: str, locale: str) -> tuple[Namespaced, ...]:
    """Return what the layer knows a named time by."""
    return ("p", _posture(sentence, span[0])), *around(sentence.text, *span, frame, locale)


def doing_features(text: str, locale: str) -> tuple[Namespaced, ...]:
    """Return what the layer knows a sentence by."""
    return (("s", of_sentence(text, locale)),)


def language_of(text: str) -> str | None:
    """Return the language whose layer a sentence is for, None if it has no letters."""
    if not text.isascii() and SCRIPTS["ja"].search(text):
        return "ja"
    return "en" if SCRIPTS["en"].search(text) else None


def _posture(sentence: Sentence, start: int) -> list[str]:
    return ["asks" if sentence.asks() else "tells", "opens" if start == 0 else "within"]
