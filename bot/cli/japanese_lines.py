"""Breaks Japanese help into lines. Rich breaks at spaces, which Japanese has none of: it would cut anywhere, or off.

Names of options, other Latin words and words in katakana stay whole; no line begins with a closing mark or ends with
an opening one.
"""

import re
from collections.abc import Iterator

from rich.cells import cell_len
from rich.console import Console, JustifyMethod, OverflowMethod
from rich.containers import Lines
from rich.text import Text

_ENDINGS = "ください|ません|ました|ます|です"
_UNIT = re.compile(
    rf"[（「『【]*(?:[!-~]+|[ァ-ヴー・]+|{_ENDINGS}|[^ァ-ヴー・!-~])[、。，．）」』】：；！？っゃゅょぁぃぅぇぉ々…]*\s*"
)


class JapaneseText(Text):
    """Text that is broken by these rules, and nowhere else different."""

    @classmethod
    def of(cls, text: Text) -> "JapaneseText":
        """Return the same text, styles and all."""
        made = cls(text.plain, style=text.style)
        made.spans = list(text.spans)
        return made

    def wrap(
        self,
        console: Console,
        width: int,
        *,
        justify: JustifyMethod | None = None,
        overflow: OverflowMethod | None = None,
        tab_size: int = 8,
        no_wrap: bool | None = None,
    ) -> Lines:
        """Return the lines; how Rich would have broken and cut them doesn't matter."""
        del console, justify, overflow, tab_size, no_wrap
        lines = Lines()
        for paragraph in self.split(allow_blank=True):
            lines.extend(paragraph.divide(list(breaks(paragraph.plain, width))))
        for line in lines:
            line.rstrip()
        return lines


def breaks(text: str, width: int) -> Iterator[int]:
    """Yield where each further line begins, for lines of at most `width` cells."""
    filled = 0
    for at, unit in _units(text, width):
        needed = cell_len(unit.rstrip())
        if filled and filled + needed > width:
            yield at
            filled = 0
        filled += cell_len(unit)


def _units(text: str, width: int) -> Iterator[tuple[int, str]]:
    """Yield what is not broken, with its place; what is longer than a line is taken apart."""
    for match in _UNIT.finditer(text):
        if cell_len(match[0].rstrip()) <= width:
            yield match.start(), match[0]
        else:
            yield from ((match.start() + index, char) for index, char in enumerate(match[0]))
