"""A stretch of a text."""

from typing import NamedTuple


class Span(NamedTuple):
    """From `start` to before `end`."""

    start: int
    end: int
