"""What the layer knows a text by: what stands around a named time, and what a sentence is made of.

A feature is a string that begins with the name of its kind; one that occurs twice counts twice. They are cut so that no
long string is ever built: the layer is asked often.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from operator import add

_LEFT, _RIGHT = 24, 30
_NEAR = (1, 2, 3, 4, 5)
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|[0-9]+|[^\sa-z0-9]")
_NUMBER = re.compile(r"[0-9]+")
STEM, ENDING, LONG = 4, 3, 5

Namespaced = tuple[str, Sequence[str]]


def around(text: str, start: int, end: int, frame: str, locale: str) -> tuple[Namespaced, ...]:
    """Return, by kind, what stands around the words from `start` to `end` that a frame named `frame` found."""
    if locale == "ja":
        return _around_japanese(text, start, end, frame)
    return _around_english(text, start, end, frame)


def _around_japanese(text: str, start: int, end: int, frame: str) -> tuple[Namespaced, ...]:
    left, right = text[max(0, start - _LEFT) : start], text[end : end + _RIGHT]
    before = "^" + left if start <= _LEFT else left
    after = right + "$"
    named = text[start:end] if frame == "word" else frame
    last, last_two, first, first_two = left[-1:], left[-2:], after[:1], after[:2]
    return (
        ("L", [before[-size:] for size in _NEAR[: len(before)]]),
        ("R", [after[:size] for size in _NEAR[: len(after)]]),
        ("f", (named,)),
        ("S", (f"{named}{last}_{first}", f"{named}_{first_two}", f"{last_two}{named}_")),
        ("B", (f"{last}_{first_two}", f"{last_two}_{first}", f"{last_two}_{first_two}")),
        ("l", _runs(left)),
        ("r", _runs(after)),
    )


def _around_english(text: str, start: int, end: int, frame: str) -> tuple[Namespaced, ...]:
    left = ["^", *_WORD.findall(text, max(0, start - 50), start)]
    right = [*_WORD.findall(text, end, end + 60), "$"]
    named = text[start:end] if frame == "word" else frame
    last, first = left[-1], right[0]
    near_left = [" ".join(left[-size:]) for size in _NEAR[: min(3, len(left))]]
    near_right = [" ".join(right[:size]) for size in _NEAR[: min(3, len(right))]]
    return (
        ("L", near_left),
        ("R", near_right),
        ("f", (named,)),
        ("S", (f"{last} {named} {first}", f"{named} {first}", f"{last} {named}")),
        ("B", (f"{last}_{first}", f"{near_left[-1]}_{first}")),
        ("l", [*left, *_pairs(left)]),
        ("r", [*right, *_pairs(right)]),
    )


def of_sentence(text: str, locale: str) -> list[str]:
    """Return what a sentence is made of: runs of characters (Japanese) or of words with their ends (English)."""
    if locale == "ja":
        framed = framed_characters(text)
        two = list(map(add, framed, framed[1:]))
        three = list(map(add, two, framed[2:]))
        return [*framed, *two, *three]
    words = framed_words(text)
    two = _pairs(words)
    long = [word for word in words if len(word) >= LONG]
    three = [f"{pair} {word}" for pair, word in zip(two, words[2:], strict=False)]
    return [*words, *two, *three, *(word[:STEM] + "-" for word in long), *("-" + word[-ENDING:] for word in long)]


def framed_characters(text: str) -> str:
    """Return a sentence between signs for its start and its end, every number as 0."""
    return f"^{_NUMBER.sub('0', text)}$" if _NUMBER.search(text) else f"^{text}$"


def framed_together(texts: Sequence[str]) -> list[str]:
    """Return each of several sentences as `framed_characters` does."""
    if _NUMBER.search("".join(texts)):
        return list(map(framed_characters, texts))
    return [f"^{text}$" for text in texts]


def framed_words(text: str) -> list[str]:
    """Return the words of a sentence between signs for its start and its end, every number as 0."""
    return ["^", *_WORD.findall(_NUMBER.sub("0", text) if _NUMBER.search(text) else text), "$"]


def _runs(text: str) -> list[str]:
    two = list(map(add, text, text[1:]))
    return [*two, *map(add, two, text[2:])]


def _pairs(words: list[str]) -> list[str]:
    return [f"{one} {other}" for one, other in pairwise(words)]
