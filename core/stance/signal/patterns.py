"""Patterns that are compiled when a text first comes near them.

A lexicon has hundreds, compiling them is most of loading it, and a text needs few.
"""

import re
from collections.abc import Iterator
from typing import Any


class LatePattern:
    """A regular expression with the methods of a compiled one. Threads may use it at the same time."""

    __slots__ = ("_compiled", "_flags", "pattern")

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self.pattern = pattern
        self._flags = flags
        self._compiled: re.Pattern[str] | None = None

    @property
    def compiled(self) -> re.Pattern[str]:
        """The compiled pattern.

        Raises:
            re.error: it is no regular expression.
        """
        if self._compiled is None:
            self._compiled = re.compile(self.pattern, self._flags)
        return self._compiled

    def findall(self, text: str) -> list[Any]:
        """Return all matches, as `re.Pattern.findall` gives them."""
        return self.compiled.findall(text)

    def finditer(self, text: str, start: int = 0, end: int | None = None) -> Iterator[re.Match[str]]:
        """Give all matches within a stretch, by default the whole text."""
        return self.compiled.finditer(text, start, len(text) if end is None else end)

    def search(self, text: str, start: int = 0, end: int | None = None) -> re.Match[str] | None:
        """Return the first match within a stretch, by default the whole text."""
        return self.compiled.search(text, start, len(text) if end is None else end)
