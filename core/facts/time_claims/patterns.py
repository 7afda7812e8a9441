"""Patterns that are compiled where something first asks for them.

There are some hundred, long ones: all take one to three seconds to compile, some of them tens of milliseconds, and most
texts come near few. What runs for long compiles the rest once there is time (`compile_patterns`).
"""

import re
from collections.abc import Callable, Iterator

from core.facts.time_claims.beginnings import guarded

_METHODS = ("match", "search", "fullmatch", "finditer")


class Pattern:
    """A pattern with the methods of a compiled one: it matches what one of the alternatives does.

    It is quick where none of them can begin (`guarded`).
    """

    __slots__ = ("_alternatives", "finditer", "fullmatch", "match", "search")

    match: Callable[..., re.Match[str] | None]
    search: Callable[..., re.Match[str] | None]
    fullmatch: Callable[..., re.Match[str] | None]
    finditer: Callable[..., Iterator[re.Match[str]]]

    def __init__(self, *alternatives: str) -> None:
        self._alternatives = alternatives

    @property
    def source(self) -> str:
        """The pattern as it was written."""
        return "|".join(self._alternatives)

    def compile(self) -> None:
        """Compile the pattern now, if it isn't yet. Threads may do it at the same time."""
        _ = self.match

    def __getattr__(self, name: str) -> Callable[..., re.Match[str] | None]:
        """Compile the pattern; called for a method that is not there yet."""
        if name not in _METHODS:
            raise AttributeError(name)
        several = len(self._alternatives) > 1
        compiled = re.compile(guarded("|".join(map(guarded, self._alternatives)) if several else self.source))
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)  # type: ignore[no-any-return]
