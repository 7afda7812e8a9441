"""A text folded for matching, that still knows where each of its characters came from."""

import re
import unicodedata
from dataclasses import dataclass

from core.stance.gate.spans import Span

_ELONGATED = frozenset("ー〜~")
_VOICED_MARKS = frozenset("ﾞﾟ\u3099\u309a")
_VARIATION_SELECTORS = range(0xFE00, 0xFE10)
_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "`": "'", "“": '"', "”": '"', "\u301c": "~", "〰": "~"})
_ONE_TO_ONE = re.compile(r"[\n -~\u3000-\u3002\u3005-\u301b\u3041-\u3096\u30a1-\u30fc\u4e00-\u9fff！？]*\Z")
_MAPPED = str.maketrans("`　！？", "' !?")
_DRAWN_OUT = re.compile(r"([ー~])\1")


@dataclass(frozen=True, slots=True)
class Folded:
    """Lower-case NFKC text without invisible characters. `origin[i]` is where character i began in the source."""

    text: str
    origin: tuple[int, ...]
    length: int

    def span(self, start: int, end: int) -> Span:
        """Return the stretch of the source that the stretch of the folded text came from."""
        first = self.origin[start] if start < len(self.origin) else self.length
        last = self.origin[end] if end < len(self.origin) else self.length
        return Span(first, max(first, last))


def fold(text: str) -> Folded:
    """Fold a text so that width, composition, case, invisible characters and drawn-out vowels make no difference."""
    if _ONE_TO_ONE.match(text) and not _DRAWN_OUT.search(text):
        return Folded(text.translate(_MAPPED).lower(), tuple(range(len(text))), len(text))
    out: list[str] = []
    origin: list[int] = []
    for start, cluster in _clusters(text):
        for char in _narrowed(cluster):
            if char in _ELONGATED and out and out[-1] == char:
                continue
            out.append(char)
            origin.append(start)
    return Folded("".join(out), tuple(origin), len(text))


def _narrowed(cluster: str) -> str:
    folded = cluster if cluster.isascii() else unicodedata.normalize("NFKC", cluster).translate(_APOSTROPHES)
    return "".join("\n" if char in "\r\n" else " " if char.isspace() else char for char in folded.lower())


def _clusters(text: str) -> list[tuple[int, str]]:
    """Return the visible characters, each with the marks that belong to it and the position it stands at."""
    clusters: list[tuple[int, str]] = []
    for position, char in enumerate(text):
        if char < "\u0080":
            clusters.append((position, char))
        elif _is_invisible(char):
            continue
        elif clusters and (char in _VOICED_MARKS or unicodedata.combining(char)):
            start, before = clusters[-1]
            clusters[-1] = (start, before + char)
        else:
            clusters.append((position, char))
    return clusters


def _is_invisible(char: str) -> bool:
    return ord(char) in _VARIATION_SELECTORS or unicodedata.category(char) == "Cf"
