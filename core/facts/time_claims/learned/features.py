"""What the layer knows a text by: what stands around a named time, and what a sentence is made of.

A feature is a string that begins with the name of its kind; one that occurs twice counts twice. They are cut so that no
long string is ever built: the layer is asked often.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise
from operator import add

_LEFT, _RIGHT = 24, 30
_NEAR = 5
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|[0-9]+|[^\sa-z0-9]")
_NUMBER = re.compile(r"[0-9]+")
STEM, ENDING, LONG = 4, 3, 5

Namespaced = tuple[str, Iterable[str]]


def around(text: str, start: int, end: int, frame: str, locale: str) -> Iterator[Namespaced]:
    """Give, by kind, what stands around the words from `start` to `end` that a frame named `frame` found."""
    if locale == "ja":
        yield from _around_japanese(text, start, end, frame)
    else:
        yield from _around_english(text, start, end, frame)


def _around_japanese(text: str, start: int, end: int, frame: str) -> Iterator[Namespaced]:
    left, right = text[max(0, start - _LEFT) : start], text[end : end + _RIGHT]
    before = "^" + left if start <= _LEFT else left
    after = right + "$"
    named = text[start:end] if frame == "word" else frame
    near_left = [before[-size:] for size in range(1, min(_NEAR, len(before)) + 1)]
    near_right = [after[:size] for size in range(1, min(_NEAR, len(after)) + 1)]
    yield "L", near_left
    yield "R", near_right
    yield "f", (named,)
    yield "S", (named + left[-1:] + "_" + after[:1], named + "_" + after[:2], left[-2:] + named + "_")
    yield "B", (left[-1:] + "_" + after[:2], left[-2:] + "_" + after[:1], left[-2:] + "_" + after[:2])
    yield "l", _runs(left)
    yield "r", _runs(after)


def _around_english(text: str, start: int, end: int, frame: str) -> Iterator[Namespaced]:
    left = ["^", *_WORD.findall(text, max(0, start - 50), start)]
    right = [*_WORD.findall(text, end, end + 60), "$"]
    named = text[start:end] if frame == "word" else frame
    near_left = [" ".join(left[-size:]) for size in range(1, min(3, len(left)) + 1)]
    near_right = [" ".join(right[:size]) for size in range(1, min(3, len(right)) + 1)]
    yield "L", near_left
    yield "R", near_right
    yield "f", (named,)
    yield "S", (f"{left[-1]} {named} {right[0]}", f"{named} {right[0]}", f"{left[-1]} {named}")
    yield "B", (f"{left[-1]}_{right[0]}", f"{near_left[-1]}_{right[0]}")
    yield "l", chain(left, _pairs(left))
    yield "r", chain(right, _pairs(right))


def of_sentence(text: str, locale: str) -> Iterable[str]:
    """Return what a sentence is made of: runs of characters (Japanese) or of words with their ends (English)."""
    if locale == "ja":
        framed = framed_characters(text)
        two = list(map(add, framed, framed[1:]))
        three = list(map(add, two, framed[2:]))
        return chain(framed, two, three)
    words = framed_words(text)
    two = _pairs(words)
    long = [word for word in words if len(word) >= LONG]
    three = [f"{pair} {word}" for pair, word in zip(two, words[2:], strict=False)]
    return chain(words, two, three, (word[:STEM] + "-" for word in long), ("-" + word[-ENDING:] for word in long))


def framed_characters(text: str) -> str:
    """Return a sentence between signs for its start and its end, every number as 0."""
    return f"^{_NUMBER.sub('0', text)}$"


def framed_words(text: str) -> list[str]:
    """Return the words of a sentence between signs for its start and its end, every number as 0."""
    return ["^", *_WORD.findall(_NUMBER.sub("0", text)), "$"]


def _runs(text: str) -> Iterable[str]:
    two = list(map(add, text, text[1:]))
    return chain(two, map(add, two, text[2:]))


def _pairs(words: list[str]) -> list[str]:
    return [f"{one} {other}" for one, other in pairwise(words)]
