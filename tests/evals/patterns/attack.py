"""Tries a regular expression with texts that repeat its own words, which is what makes a bad one take for ever.

python -m tests.evals.patterns.attack [seconds] [seed]     or `make patterns`; ends with 1 if any is found

A text of 400 characters that holds a pattern for more than `SLOW` is told with the pattern. That none is found is no
proof: the texts are drawn by lot.
"""

import random
import re
import re._parser as parser  # type: ignore[import-not-found]
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tests.evals.patterns.collecting import compiled

LENGTH = 400
SLOW = 0.05
_GIVEN_UP = 0.5
_TRIES = 400
_MOST_WORDS = 400
# Where an element has what is within it.
_INNER = {"MAX_REPEAT": 2, "MIN_REPEAT": 2, "POSSESSIVE_REPEAT": 2, "SUBPATTERN": 3, "ASSERT": 1, "ASSERT_NOT": 1}
_BETWEEN = ("", " ", ", ", "、", "-", ". ", "\n", " , ")
_ENDS = ("", "x", "!", "あ", "。", "?")


@dataclass(frozen=True, slots=True)
class Slow:
    """A pattern that a text holds up, for so many seconds of processor time."""

    pattern: re.Pattern[str]
    text: str
    seconds: float


class _GaveUpError(Exception):
    """The pattern was still at it."""


def attack(pattern: re.Pattern[str], rng: random.Random, *, tries: int = _TRIES) -> Slow | None:
    """Return the worst text found for a pattern, None if none holds it up."""
    if not set("*+{") & set(pattern.pattern):
        return None
    signal.signal(signal.SIGVTALRM, _give_up)
    words = words_of(pattern) or ["a"]
    worst = max((_time(pattern, _text(words, rng)) for _ in range(tries)), key=lambda slow: slow.seconds)
    return worst if worst.seconds > SLOW else None


def words_of(pattern: re.Pattern[str]) -> list[str]:
    """Return the literal pieces of a pattern, single characters of its classes among them."""
    pieces = dict.fromkeys(_pieces(parser.parse(pattern.pattern, pattern.flags)))
    return [piece for piece in pieces if piece.strip()][:_MOST_WORDS]


def _pieces(tree: Any) -> Iterator[str]:
    """Give the runs of literals anywhere in a parsed pattern."""
    run = ""
    for kind, value in tree:
        if str(kind) == "LITERAL":
            run += chr(value)
            continue
        if run:
            yield run
        run = ""
        for inner in _inside(str(kind), value):
            yield from _pieces(inner)
    if run:
        yield run


def _inside(kind: str, value: Any) -> Sequence[Any]:
    """Return the parsed parts within one element."""
    if kind == "BRANCH":
        return list(value[1])
    if kind == "IN":  # a class: a few of its characters, each by itself
        firsts = [what[0] if str(how) == "RANGE" else what for how, what in value if str(how) in {"LITERAL", "RANGE"}]
        return [[(parser.LITERAL, first)] for first in firsts[:6]]
    return [value[_INNER[kind]]] if kind in _INNER else []


def _text(words: Sequence[str], rng: random.Random) -> str:
    """Make a text of one to three of the words, again and again."""
    chosen = [rng.choice(words) for _ in range(rng.choice((1, 1, 1, 2, 3)))]
    between, times = rng.choice(_BETWEEN), rng.choice((12, 30, 60, LENGTH))
    row = "".join(chosen[at % len(chosen)] + between for at in range(times))
    return row[:LENGTH] + rng.choice(_ENDS)


def _time(pattern: re.Pattern[str], text: str) -> Slow:
    """Time the slower of looking for a pattern anywhere and at the beginning."""
    return Slow(pattern, text, max(_seconds(pattern.search, text), _seconds(pattern.match, text)))


def _seconds(look: Any, text: str) -> float:
    began = time.thread_time()
    signal.setitimer(signal.ITIMER_VIRTUAL, _GIVEN_UP)
    try:
        look(text)
    except _GaveUpError:
        pass
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return time.thread_time() - began


def _give_up(number: int, frame: object) -> None:
    del number, frame
    raise _GaveUpError


def main(seconds: float, seed: int) -> int:
    """Attack one pattern after the other, in an order of their own for each seed; tell what was found."""
    rng = random.Random(seed)
    patterns = compiled()
    rng.shuffle(patterns)
    until, found, tried = time.monotonic() + seconds, 0, 0
    for pattern in patterns:
        if time.monotonic() > until:
            break
        tried += 1
        if slow := attack(pattern, rng):
            found += 1
            _say(f"{slow.seconds * 1000:.0f} ms  {slow.text[:80]!r}  {pattern.pattern[:200]!r}")
    _say(f"{tried} of {len(patterns)} patterns tried, {found} held up")
    return 1 if found else 0


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    given = sys.argv[1:]
    sys.exit(main(float(given[0]) if given else 300.0, int(given[1]) if len(given) > 1 else 1))
