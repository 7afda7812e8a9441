"""Numbers as they are written: digits, kanji, English words."""

_KANJI = {char: value for value, char in enumerate("〇一二三四五六七八九")} | {"零": 0}
_UNITS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50}
_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16,
    "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30,
}  # fmt: skip


def read_number(written: str) -> int:
    """Return the value of a number below 100, written in digits, kanji (十四, 一四) or English ("twenty-five").

    Raises:
        ValueError: It is no such number.
    """
    if written[0].isdecimal():
        return int(written)
    if written[0] in _KANJI or written[0] == "十":
        return _read_kanji(written)
    return _read_english(written)


def _read_kanji(written: str) -> int:
    tens, ten, units = written.partition("十")
    if not ten:
        return _positional(written)
    return (_positional(tens) if tens else 1) * 10 + (_positional(units) if units else 0)


def _positional(digits: str) -> int:
    if any(digit not in _KANJI for digit in digits):
        raise ValueError(digits)
    return int("".join(str(_KANJI[digit]) for digit in digits))


def _read_english(written: str) -> int:
    total = 0
    for word in written.replace("-", " ").replace(" and ", " ").split():
        if word in _TENS:
            total += _TENS[word]
        elif word in _ORDINALS:
            total += _ORDINALS[word]
        elif word in _UNITS:
            total += _UNITS.index(word)
        else:
            raise ValueError(written)
    return total
