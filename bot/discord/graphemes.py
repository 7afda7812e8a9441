"""Where a text may be cut without breaking what a reader sees as one character."""

import unicodedata

_ZWJ = "\u200d"
_CATEGORIES_THAT_EXTEND = {"Mn", "Me", "Mc"}
_HALFWIDTH_SOUND_MARKS = "\uff9e\uff9f"


def is_boundary(text: str, index: int) -> bool:
    """Return whether `index` lies between two whole characters (Unicode's grapheme clusters, UAX 29).

    Covers combining marks, variation selectors, emoji modifiers, joined emoji, flags, Hangul syllables, CR LF and
    stray surrogate pairs. The two ends of the text are boundaries.
    """
    if index <= 0 or index >= len(text):
        return True
    before, after = text[index - 1], text[index]
    if before == "\r" and after == "\n":
        return False
    if _extends(after) or (before == _ZWJ and not after.isspace()):
        return False
    if "\ud800" <= before <= "\udbff" and "\udc00" <= after <= "\udfff":
        return False
    if _is_regional(before) and _is_regional(after):
        return _flags_before(text, index) % 2 == 0
    return not _joins_hangul(before, after)


def last_boundary(text: str, low: int, high: int) -> int:
    """Return the last boundary in (low, high]; `high` itself when one character is longer than that."""
    return next((index for index in range(high, low, -1) if is_boundary(text, index)), high)


def _extends(char: str) -> bool:
    return (
        char == _ZWJ
        or unicodedata.category(char) in _CATEGORIES_THAT_EXTEND
        or char in _HALFWIDTH_SOUND_MARKS
        or "\U0001f3fb" <= char <= "\U0001f3ff"
        or "\U000e0020" <= char <= "\U000e007f"
    )


def _is_regional(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _flags_before(text: str, index: int) -> int:
    start = index
    while start > 0 and _is_regional(text[start - 1]):
        start -= 1
    return index - start


def _joins_hangul(before: str, after: str) -> bool:
    follows = {"L": "LVS", "V": "VT", "S": "VT", "T": "T"}
    return _hangul(after) in tuple(follows.get(_hangul(before), "")) if _hangul(after) else False


def _hangul(char: str) -> str:
    """Return the kind of jamo: leading, vowel, trailing, whole syllable; '' for anything else."""
    if "\u1100" <= char <= "\u115f":
        return "L"
    if "\u1160" <= char <= "\u11a7":
        return "V"
    if "\u11a8" <= char <= "\u11ff":
        return "T"
    return "S" if "\uac00" <= char <= "\ud7a3" else ""
