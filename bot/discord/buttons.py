"""Ids of the buttons below replies. Everything a button needs stands in its id, so it works after a restart."""

import re
from dataclasses import dataclass

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
MAX_ID_LENGTH = 100

REGENERATE_PATTERN = re.compile(
    r"again:(?P<asked>[0-9a-z]+):(?P<author>[0-9a-z]+):(?P<parts>(?:[0-9a-z]+(?:\.[0-9a-z]+)*)?)"
)
KEEP_PATTERN = re.compile(r"keep:(?P<answer>yes|no):(?P<asked>[0-9a-z]+):(?P<author>[0-9a-z]+)")
STOP_PATTERN = re.compile(r"stop:(?P<author>[0-9a-z]+)")


@dataclass(frozen=True, slots=True)
class RegenerateId:
    """The message that was answered, who wrote it, and the reply's messages before the one with the button."""

    asked_id: int
    author_id: int
    earlier: tuple[int, ...] = ()

    def encode(self) -> str | None:
        """Return the id, or None if the reply has too many messages to name them in it."""
        parts = ".".join(to_base36(part - self.asked_id) for part in self.earlier if part > self.asked_id)
        encoded = f"again:{to_base36(self.asked_id)}:{to_base36(self.author_id)}:{parts}"
        return encoded if len(encoded) <= MAX_ID_LENGTH else None

    @classmethod
    def decode(cls, match: re.Match[str]) -> "RegenerateId":
        """Read an id that matched `REGENERATE_PATTERN`."""
        asked = int(match["asked"], 36)
        parts = match["parts"].split(".") if match["parts"] else []
        return cls(asked, int(match["author"], 36), tuple(asked + int(part, 36) for part in parts))


@dataclass(frozen=True, slots=True)
class KeepId:
    """Whether to keep what a message asks to have remembered: the message, who wrote it, and the answer."""

    asked_id: int
    author_id: int
    keep: bool

    def encode(self) -> str:
        """Return the id."""
        return f"keep:{'yes' if self.keep else 'no'}:{to_base36(self.asked_id)}:{to_base36(self.author_id)}"

    @classmethod
    def decode(cls, match: re.Match[str]) -> "KeepId":
        """Read an id that matched `KEEP_PATTERN`."""
        return cls(int(match["asked"], 36), int(match["author"], 36), match["answer"] == "yes")


def stop_id(author_id: int) -> str:
    """Return the id of a stop button for the person who is being answered."""
    return f"stop:{to_base36(author_id)}"


def to_base36(number: int) -> str:
    """Write a number that is not negative in digits and lower-case letters."""
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
    return digits or "0"
