"""What is typed while no prompt is open: the terminal doesn't show it, so that it can't get into what is shown."""

import codecs
import re
from collections import deque

_LINE_ENDS, _TAB, _END = "\r\n", "\t", "\x04"
_ERASE = {"\x7f": r".\Z", "\x08": r".\Z", "\x17": r"\S*\s*\Z", "\x15": r".*\Z"}  # Backspace twice, Ctrl-W, Ctrl-U
_KEY = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O.|[^\[O])")
_BEGUN_KEY = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|O)?\Z")


class TypeAhead:
    """Keys as they come, made into lines. `text` is the line that is begun; `ended` says that Ctrl-D was pressed."""

    def __init__(self) -> None:
        self.text = ""
        self.lines: deque[str] = deque()
        self.ended = False
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._key = ""

    @property
    def shown(self) -> str:
        """What a terminal would show of the line that is begun."""
        return "^D" if self.ended else self.text

    def feed(self, data: bytes) -> None:
        """Take in what was read of the keyboard, b"" at its end. A key may come in two pieces."""
        if not data:
            self.ended = True
        keys = _KEY.sub("", self._key + self._decoder.decode(data))
        begun = _BEGUN_KEY.search(keys)
        self._key = begun[0] if begun else ""
        for char in keys.removesuffix(self._key):
            self._press(char)

    def take_text(self) -> str:
        """Hand over the line that is begun."""
        text, self.text = self.text, ""
        return text

    def _press(self, char: str) -> None:
        if char in _LINE_ENDS:
            self.lines.append(self.take_text())
        elif char in _ERASE:
            self.text = re.sub(_ERASE[char], "", self.text, flags=re.DOTALL)
        elif char == _END:
            self.ended = self.ended or not self.text
        elif char == _TAB:
            self.text += " "
        elif char.isprintable():
            self.text += char
