"""Tags as a model gives them: numbers of the Nippon Decimal Classification taken off, labels taken apart (seed 002).

A model is made to classify ("326:刑事法"), since that makes it decide; what is kept are words as people would tag.
"""

import re
from collections.abc import Iterable, Sequence

_NUMBER = re.compile(r"[0-9]{3}(?:\.[0-9]+)?:\s*")
_BETWEEN_PARTS = re.compile(r"．|\. ")


def clean_tags(tags: Iterable[object], most: int) -> list[str]:
    """Return at most `most` tags, without numbers and without repetitions (capitals make no difference).

    A label of several parts ("Law. Courts") is replaced by those of its parts that are also tags by themselves, or by
    all of them where none is. What is no text, or blank, is left out.
    """
    given = [tag.strip() for tag in tags if isinstance(tag, str) and tag.strip()]
    labels = {_label(tag) for tag in given}
    adopted = [part for tag in given for part in _parts(tag, labels)]
    first: dict[str, str] = {}
    for part in adopted:
        first.setdefault(part.lower(), part)
    return list(first.values())[:most]


def _parts(tag: str, labels: set[str]) -> Sequence[str]:
    if _NUMBER.match(tag) is None:
        return [tag]
    split = (part.strip() for part in _BETWEEN_PARTS.split(_label(tag)))
    parts = [part for part in split if part]
    return [part for part in parts if part in labels] or parts


def _label(tag: str) -> str:
    number = _NUMBER.match(tag)
    return tag if number is None else tag[number.end() :].strip()
