"""Cuts a long text into Discord messages where it hurts least. Nothing is ever left out."""

import itertools
import re
from collections.abc import Callable, Iterable

from bot.discord.fences import Fence, find_fences
from bot.discord.graphemes import is_boundary, last_boundary

# Discord counts code points, as Python does.
LIMIT = 2000

_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_LINE = re.compile(r"\n")
_SENTENCE = re.compile(r"[。！？…♪][」』）)\]\"'”’]*|[.!?][\"')\]]*\s")
_SPACE = re.compile(r"\s|[、，]")
_KANA_BEFORE_WORD = re.compile(r"(?<=[\u3041-\u3096])(?=[\u4e00-\u9fff\u30a1-\u30faA-Za-z0-9「『（])")
_POLITE_CUTS = (_PARAGRAPH, _LINE, _SENTENCE, _SPACE)

# Runs that mean something only as a whole: links, addresses, mentions, emoji, code, spoilers, emphasis.
_WHOLE = re.compile(
    r"""\[[^\[\]\n]*\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*\)
      | <[^<>\s]+>
      | https?://[^\s<>]+
      | ```[^\n]+?```
      | `[^`\n]+`
      | \|\|.+?\|\|
      | \*\*[^*\n]+\*\*
      | :[A-Za-z0-9_]{2,}:
    """,
    re.VERBOSE,
)

Span = tuple[int, int]


def split(text: str, limit: int = LIMIT) -> list[str]:
    """Return the text in pieces of at most `limit` code points, none of them blank; [] for a blank text.

    Code fences, words, links and composed characters stay whole where a piece can hold them. A fence that can't be
    held is closed and opened again with its language. Only white space may be lost, and only at the seams.
    """
    return _Splitter(text.replace("\r\n", "\n").replace("\r", "\n").strip(), limit).pieces()


class _Splitter:
    def __init__(self, text: str, limit: int) -> None:
        self._text = text
        self._limit = limit
        self._fences = find_fences(text)
        fenced = [(fence.start, fence.end) for fence in self._fences]
        self._whole: list[Span] = sorted([*fenced, *(match.span() for match in _WHOLE.finditer(text))])

    def pieces(self) -> list[str]:
        """Cut from the start, each time as late as is decent."""
        pieces: list[str] = []
        position = 0
        while position < len(self._text):
            piece, position = self._next_piece(position)
            if piece.strip():
                pieces.append(piece)
            position = self._skip_space(position)
        return pieces

    def _next_piece(self, position: int) -> tuple[str, int]:
        inside = self._fence_around(position)
        if inside and not self._text[position : inside.end].strip().rstrip("`"):
            # Nothing but the closing line is left, and the block was closed already.
            return "", inside.end
        header = inside.header if inside else ""
        rest = header + self._text[position:] + self._last_footer()
        if len(rest) <= self._limit:
            return rest, len(self._text)
        high = position + self._limit - len(header)
        straddled = next((fence for fence in self._fences if fence.start < high < self._end_of(fence)), None)
        if straddled and straddled.start > position:
            return (header + self._text[position : straddled.start]).rstrip(), straddled.start
        if straddled:
            return self._cut_fence(position, straddled, header)
        cut = self._cut_prose(position, min(high, len(self._text)))
        return (header + self._text[position:cut]).rstrip(), cut

    def _end_of(self, fence: Fence) -> int:
        """Return where a fence ends, counting the closing line that has to be added."""
        return fence.end if fence.closed else fence.end + len(fence.footer)

    def _cut_fence(self, position: int, fence: Fence, header: str) -> tuple[str, int]:
        high = position + self._limit - len(header) - len(fence.footer)
        low = max(position, fence.body)
        newline = self._text.rfind("\n", low + 1, high + 1)
        cut = newline if newline != -1 else last_boundary(self._text, low, min(high, len(self._text)))
        piece = header + self._text[position:cut] + fence.footer
        behind = cut + 1 if newline != -1 else cut
        shows = self._text[low:cut].strip() or (position < fence.body and fence.titled)
        return (piece if shows else ""), behind

    def _cut_prose(self, low: int, high: int) -> int:
        """Return the best place in (low, high] to cut text outside of fences."""
        middle = (low + high) // 2
        polite = ((pattern, start) for start in (middle, low) for pattern in _POLITE_CUTS)
        for pattern, start in (*polite, (_KANA_BEFORE_WORD, low)):
            cut = self._last_match(pattern, start, high)
            if cut is not None:
                return cut
        between = self._last(range(high, low, -1), self._is_between_words)
        return between if between is not None else last_boundary(self._text, low, high)

    def _last_match(self, pattern: re.Pattern[str], low: int, high: int) -> int | None:
        ends = (match.end() for match in pattern.finditer(self._text, low, min(high + 2, len(self._text))))
        return self._last(reversed([end for end in ends if low < end <= high]), lambda _: True)

    def _last(self, places: Iterable[int], wanted: Callable[[int], bool]) -> int | None:
        return next((place for place in places if wanted(place) and self._may_cut(place)), None)

    def _may_cut(self, place: int) -> bool:
        if not is_boundary(self._text, place):
            return False
        near = itertools.takewhile(lambda span: span[0] < place, self._whole)
        return not any(place < end for _, end in near)

    def _is_between_words(self, place: int) -> bool:
        return not (_is_letter(self._text[place - 1]) and place < len(self._text) and _is_letter(self._text[place]))

    def _fence_around(self, position: int) -> Fence | None:
        return next((fence for fence in self._fences if fence.body <= position < fence.end), None)

    def _last_footer(self) -> str:
        return self._fences[-1].footer if self._fences and not self._fences[-1].closed else ""

    def _skip_space(self, position: int) -> int:
        while position < len(self._text) and self._text[position].isspace() and not self._fence_around(position):
            position += 1
        return position


def _is_letter(char: str) -> bool:
    """Return whether a character is part of a word of a script that puts spaces between words."""
    return (char.isalnum() or char in "_'’-") and char < "\u2e80"
