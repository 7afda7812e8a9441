"""Code fences of a text, as ranges of characters."""

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it.token import Token

_LONGEST_LANGUAGE = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Fence:
    """A fenced block: `start` is where its opening line begins, `body` where the code does, `end` behind its last line.

    `closed` is false when the text ends before the fence does. `titled`: its first line says more than a language,
    which is not said again when the block is opened in another message.
    """

    start: int
    body: int
    end: int
    marker: str
    language: str
    closed: bool
    titled: bool

    @property
    def header(self) -> str:
        """The line that opens the block again in another message."""
        return f"{self.marker}{self.language}\n"

    @property
    def footer(self) -> str:
        """What closes the block before it ends."""
        return f"\n{self.marker}"


def find_fences(text: str) -> list[Fence]:
    """Return the backtick fences in order. Lines of `text` end with LF alone; tilde fences mean nothing to Discord."""
    if "```" not in text:
        return []
    from markdown_it import MarkdownIt  # noqa: PLC0415 - takes a while to import, and few replies have code in them

    lines = text.split("\n")
    starts = list(itertools.accumulate((len(line) + 1 for line in lines), initial=0))
    tokens = MarkdownIt("commonmark").disable(["html_block", "code"]).parse(text)
    fences = [token for token in tokens if token.type == "fence" and token.markup.startswith("`")]
    return [_fence(token, lines, starts) for token in fences]


def _fence(token: "Token", lines: list[str], starts: list[int]) -> Fence:
    first, behind = token.map or (0, 0)
    # A fence that the text leaves open may be said to end behind the last line.
    last = min(behind, len(lines)) - 1
    words = token.info.split()
    named = len(token.info) <= _LONGEST_LANGUAGE
    marker_end = starts[first] + lines[first].index(token.markup) + len(token.markup)
    return Fence(
        start=starts[first],
        # Discord takes a long first line for code, and so it may have to be cut like code.
        body=min(starts[first + 1], starts[-1] - 1) if named else marker_end,
        end=starts[last] + len(lines[last]),
        marker=token.markup,
        language=words[0] if named and words else "",
        closed=last > first and _closes(lines[last], token.markup),
        titled=named and len(words) > 1,
    )


def _closes(line: str, marker: str) -> bool:
    mark = line.strip().lstrip("> ")
    return mark.startswith(marker) and set(mark) == {"`"}
