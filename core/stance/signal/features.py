"""What the learned layer sees of a turn: how often each group of the lexicons occurs, and its outer shape."""

import re

from core.stance.signal.reading import Reading
from core.values import Locale

_MOST = 3
_ROOTS = tuple(count**0.5 for count in range(_MOST + 1))
_SHORT, _LONG = 8, 60
"""Characters; a Latin letter counts as 0.4 of one."""
_QUOTE = re.compile(r"[「『\"]")
_DIGIT = re.compile(r"[0-9]")

SHAPE = ("ends_asking", "asks", "quotes", "digits", "japanese", "length", "short", "long", "sentences")
"""Names of the features that are not groups, in the order in which they come after them."""


def features(reading: Reading, groups: tuple[str, ...]) -> list[float]:
    """Return one number for each group, in the order given, and then those of `SHAPE`."""
    counts = reading.counts()
    return [_ROOTS[min(counts[group], _MOST)] if group in counts else 0.0 for group in groups] + _shape(reading)


def _shape(reading: Reading) -> list[float]:
    text = reading.text
    length = len(text) * (1.0 if Locale.JA in reading.locales else 0.4)
    return [
        float(text.endswith("?")),
        float("?" in text),
        float(_QUOTE.search(text) is not None),
        float(_DIGIT.search(text) is not None),
        float(Locale.JA in reading.locales),
        min(length / 40, 2.0),
        float(length < _SHORT),
        float(length > _LONG),
        min(text.count(". ") / 3, 2.0),
    ]
