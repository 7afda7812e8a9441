"""Where in a TOML file a value stands: `tomllib` reads values only, and an operator needs the line.

Scans text that `tomllib` has accepted, so it only has to tell the pieces of valid TOML apart.
"""

import re
import tomllib
from bisect import bisect_right

Path = tuple[str | int, ...]

_STRING = re.compile(
    r'''"""(?:[^"\\]|\\.|"{1,2}(?!"))*+"{3,5}'''
    r"""|'''(?:[^']|'{1,2}(?!'))*+'{3,5}"""
    r'''|"(?:[^"\\\n]|\\.)*+"'''
    r"""|'[^'\n]*'""",
    re.DOTALL,
)
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_SCALAR = re.compile(r"[^,\]}#\n]+")
_BLANK = re.compile(r"[ \t]*")
_BLANK_LINES = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*+")


class TomlLines:
    """The line of each table, key and array item, by its path: `("weekly", 0, "start")`."""

    def __init__(self, text: str) -> None:
        """Scan a text that `tomllib.loads` accepts."""
        self._lines = _Scanner(text.replace("\r\n", "\n")).scan()

    def __getitem__(self, path: Path) -> int:
        """Return the line (from 1) of what stands at a path, or of the nearest thing around it that is there."""
        while path and path not in self._lines:
            path = path[:-1]
        return self._lines.get(path, 1)

    def paths(self) -> frozenset[Path]:
        """Return every path that has a line."""
        return frozenset(self._lines)


class _Scanner:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._line_starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self._table: Path = ()
        self._array_sizes: dict[Path, int] = {}
        self._lines: dict[Path, int] = {}

    def scan(self) -> dict[Path, int]:
        self._skip(_BLANK_LINES)
        while self._at < len(self._text):
            if self._peek("["):
                self._header()
            else:
                self._pair(self._table)
            self._skip(_BLANK_LINES)
        return self._lines

    def _header(self) -> None:
        line = self._line()
        is_array = self._peek("[[")
        self._at += 2 if is_array else 1
        *parents, last = self._key()
        self._at += 2 if is_array else 1
        path = (*self._enter((), parents, line), last)
        if is_array:
            index = self._array_sizes[path] = self._array_sizes.get(path, -1) + 1
            self._lines.setdefault(path, line)
            path = (*path, index)
        self._lines.setdefault(path, line)
        self._table = path

    def _enter(self, path: Path, keys: list[str], line: int) -> Path:
        """Go down from a table by keys; an array of tables on the way stands for its last table."""
        for key in keys:
            path = (*path, key)
            self._lines.setdefault(path, line)
            if path in self._array_sizes:
                path = (*path, self._array_sizes[path])
        return path

    def _pair(self, table: Path) -> None:
        line = self._line()
        path = self._enter(table, self._key(), line)
        self._at += 1  # the equals sign
        self._skip(_BLANK)
        self._value(path)

    def _key(self) -> list[str]:
        """Read a dotted key, with the space around it."""
        parts = []
        while True:
            self._skip(_BLANK)
            if self._text[self._at] in "\"'":
                parts.append(str(tomllib.loads(f"key = {self._skip(_STRING)}")["key"]))
            else:
                parts.append(self._skip(_BARE_KEY))
            self._skip(_BLANK)
            if not self._peek("."):
                return parts
            self._at += 1

    def _value(self, path: Path) -> None:
        if self._peek("["):
            self._array(path)
        elif self._peek("{"):
            self._inline_table(path)
        else:
            self._skip(_STRING if self._text[self._at] in "\"'" else _SCALAR)

    def _array(self, path: Path) -> None:
        self._at += 1
        index = 0
        self._skip(_BLANK_LINES)
        while not self._peek("]"):
            item = (*path, index)
            self._lines[item] = self._line()
            self._value(item)
            index += 1
            self._skip(_BLANK_LINES)
            self._at += self._peek(",")
            self._skip(_BLANK_LINES)
        self._at += 1

    def _inline_table(self, path: Path) -> None:
        self._at += 1
        self._skip(_BLANK_LINES)
        while not self._peek("}"):
            self._pair(path)
            self._skip(_BLANK_LINES)
            self._at += self._peek(",")
            self._skip(_BLANK_LINES)
        self._at += 1

    def _peek(self, text: str) -> bool:
        return self._text.startswith(text, self._at)

    def _line(self) -> int:
        return bisect_right(self._line_starts, self._at)

    def _skip(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self._text, self._at)
        if match is None:
            raise ValueError(f"not TOML at character {self._at}")
        self._at = match.end()
        return match.group()
