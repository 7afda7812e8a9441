"""Candidates side by side: a date, a weekday and a time said in one breath."""

import re
from collections.abc import Iterable, Iterator

from core.facts.time_claims.rules import Frame

Group = list[tuple[Frame, re.Match[str]]]
_BETWEEN = re.compile(r"[\s、,()・|/-]{0,3}")


def groups(text: str, candidates: Iterable[tuple[Frame, re.Match[str]]]) -> Iterator[Group]:
    """Give candidates (in the order they stand in) in groups: of different kinds, nothing but signs between them.

    One inside a date is no candidate: "2026" in "November 30, 2026" is no time.
    """
    group: Group = []
    for frame, match in candidates:
        if group and group[-1][0].name == "date" and match.end() <= group[-1][1].end():
            continue
        if group and not _belongs(text, group, frame, match):
            yield group
            group = []
        group.append((frame, match))
    if group:
        yield group


def _belongs(text: str, group: Group, frame: Frame, match: re.Match[str]) -> bool:
    end = group[-1][1].end()
    if match.start() < end or any(other.name == frame.name for other, _ in group):
        return False
    return stands_beside(text, end, match.start())


def stands_beside(text: str, end: int, start: int) -> bool:
    """Return whether there is nothing but signs between where one thing ends and where the next starts."""
    return end <= start and _BETWEEN.fullmatch(text, end, start) is not None
