"""Whether a message likely asks for something that was said before, where no pattern tells.

Patterns know the wordings somebody thought of. Of what people nobody had read asked, they missed one question in
fourteen; weights for short pieces of a message, fitted on questions and ordinary turns by many hands
(`tests/evals/recall/asking.py`), find most of those. They only ever make a question a pointed one.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import sqrt

LIKELY = 0.5
"""From which score on a message counts as asking; hardly an ordinary turn that no pattern takes for one is above it."""

_LONGEST = 60  # words, or characters of Japanese, from the end: what asks stands there
_MAY_ASK = {
    "en": re.compile(r"\?|\b(?:wh(?:at|en|ere|ich|o|om|ose|y)|how|did|remind|rem[ei]mber|recall|forg[eo]t|tell me)"),
    "ja": re.compile(r"[？?]|[なにん何誰]|どこ|いつ|どの|どれ|どっち|いく|っけ|たか|だれ|か[なねの。… ]*$|の[。… ]*$"),
}
_ENGLISH = re.compile(r"[a-z']+|\d+|\?")
_DIGITS = re.compile(r"\d+")
_END_JA = re.compile(r"[?!。、…\s]+$")
_PIECES = {"en": 4, "ja": 5}


@dataclass(frozen=True, slots=True)
class Weights:
    """What each piece of a message counts for, in hundredths, and what is counted beforehand."""

    bias: float
    pieces: Mapping[str, int]

    def score(self, message: str, language: str) -> float:
        """Return how likely a message asks: the logarithm of its odds."""
        known = [self.pieces[piece] for piece in pieces(message, language) if piece in self.pieces]
        return self.bias + sum(known) / (100 * sqrt(max(1, len(known))))


def likely_asks(message: str, language: str) -> bool:
    """Return whether a message, folded and in small letters, likely asks for something that was said before."""
    if _MAY_ASK[language].search(message) is None:
        return False
    return weights()[language].score(message, language) > LIKELY


def pieces(message: str, language: str) -> set[str]:
    """Return the pieces of a message: up to four words, or five characters of Japanese, in a row."""
    if language == "ja":
        ended = _END_JA.sub(lambda end: "?" if "?" in end[0] else "", _DIGITS.sub("0", message))
        units = ["^", *ended[-_LONGEST:], "$"]
        return _runs(units, _PIECES[language], "")
    words = ["0" if word.isdigit() else word for word in _ENGLISH.findall(message.replace("’", "'"))[-_LONGEST:]]
    units = ["^", *words, "$"]
    around = {f"{before}_*_{after}" for before, after in zip(units, units[2:], strict=False)}
    return _runs(units, _PIECES[language], " ") | around


def _runs(units: list[str], longest: int, between: str) -> set[str]:
    return {
        between.join(units[start : start + length])
        for length in range(1, longest + 1)
        for start in range(len(units) - length + 1)
    }


@cache
def weights() -> Mapping[str, Weights]:
    """Return the weights by language; reads a file the first time."""
    table = json.loads((files("core.recall") / "likely.json").read_text("utf-8"))
    return {language: Weights(held["bias"], held["pieces"]) for language, held in table.items()}
