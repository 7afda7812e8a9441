"""Background must not become a second clock: what speaks of the present moment is taken out before it is told."""

import re
from collections.abc import Iterator

from core.facts.capsule.kept import names_a_clock

_SENTENCE = re.compile(r"[^.!?。！？\n]*(?:[.!?](?=\s|$)|[.!?](?!\s|$)[^.!?。！？\n]*|[。！？])*\n?")
_PRESENT = re.compile(
    r"\b(?:right now|at (?:this|the) moment|today|tonight|this (?:morning|afternoon|evening))\b"
    r"|今日|きょうは|本日|今朝|今夜|今晩|たった今|この瞬間",
    re.IGNORECASE,
)


def lasting(text: str) -> str:
    """Return a text without the sentences that name a time on the clock or say what day or time it is now.

    The one clock is the fact capsule (seed 001); a striking number elsewhere is what models take for the present.
    """
    return "".join(sentence for sentence in _sentences(text) if not is_passing(sentence)).strip()


def passing(text: str) -> tuple[str, ...]:
    """Return the sentences that `lasting` leaves out."""
    return tuple(sentence.strip() for sentence in _sentences(text) if is_passing(sentence))


def is_passing(sentence: str) -> bool:
    """Return whether a sentence speaks of the present moment or of a time on the clock."""
    return _PRESENT.search(sentence) is not None or names_a_clock(sentence)


def _sentences(text: str) -> Iterator[str]:
    return (match.group() for match in _SENTENCE.finditer(text) if match.group())
