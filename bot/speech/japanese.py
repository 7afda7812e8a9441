"""Finds the Japanese of what the program says to its operator, by the finished English text.

It is looked up in `words-ja.toml`. `{name}` in an entry stands for anything; what was found there is looked up in turn,
and put where the translation has it.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from string import Formatter
from typing import Self

_LABELS = "labels"
# A value of this name has to have an entry of its own, or the text around it isn't meant.
_KNOWN = "reason"
# What stands between a place and what is wrong there.
_PLACE = ": "
_INDENT = re.compile(r"\s*(?:- )?")


@dataclass(frozen=True)  # no slots: the pattern is kept once it was needed
class Sentence:
    """An entry with placeholders."""

    english: str
    japanese: str

    @cached_property
    def literals(self) -> tuple[str, ...]:
        """What stands between the placeholders."""
        return tuple(literal for literal, *_ in Formatter().parse(self.english) if literal)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        parts = Formatter().parse(self.english)
        return re.compile(
            "".join(re.escape(literal) + (f"(?P<{name}>.+?)" if name else "") for literal, name, *_ in parts)
        )

    @cached_property
    def _begins_open(self) -> bool:
        """Whether it begins with a value that may be anything."""
        return self.english.startswith("{") and not self.english.startswith(f"{{{_KNOWN}}}")

    def values(self, text: str) -> dict[str, str] | None:
        """Return what stands in a text for each placeholder, or None where the text is another one."""
        if not all(literal in text for literal in self.literals):
            return None  # said quickly: a pattern takes long to be made, and few are ever needed
        match = self._pattern.fullmatch(text)
        if match is None or (self._begins_open and _PLACE in f"{match[1]} "):
            return None  # "file: 3 problems" is a place and "{count} problems", not so many of them
        return match.groupdict()


class Japanese:
    """`Words` that are looked up; what has no entry stays English."""

    def __init__(self, texts: Mapping[str, str], labels: Mapping[str, str]) -> None:
        """Take whole texts, and single words that are looked up only where they are known to be ours."""
        self._labels = labels
        self._exact = {english: japanese for english, japanese in texts.items() if "{" not in english}
        sentences = [Sentence(english, japanese) for english, japanese in texts.items() if "{" in english]
        # The one that says most of itself first: others may fit by chance.
        self._sentences = sorted(sentences, key=lambda one: -sum(map(len, one.literals)))

    @classmethod
    def load(cls) -> Self:
        """Read the entries that come with the program."""
        tables = tomllib.loads((files("bot.speech") / "words-ja.toml").read_text("utf-8"))
        labels = tables.pop(_LABELS)
        return cls({english: text for table in tables.values() for english, text in table.items()}, labels)

    def __call__(self, text: str) -> str:
        """Return a text in this language, line by line where it isn't known as a whole."""
        return self._found(text) or "\n".join(map(self._line, text.split("\n")))

    def label(self, word: str) -> str:
        """Return a word of a table's head, of a list or of a state; itself where it is somebody's name."""
        return self._labels.get(word, word)

    def _line(self, line: str) -> str:
        indent = _INDENT.match(line)
        begin = indent.end() if indent else 0
        return line[:begin] + self._value(line[begin:])

    def _value(self, text: str) -> str:
        return self._found(text) or self._sentences_of(text) or self._after_its_place(text) or self._list(text) or text

    def _after_its_place(self, line: str) -> str | None:
        """Look up what follows "file:12: " or the like."""
        for end in (match.end() for match in re.finditer(_PLACE, line)):
            if found := self._found(line[end:]):
                return line[:end] + found
        return None

    def _found(self, text: str) -> str | None:
        return self._exact.get(text) or next(self._filled(text), None)

    def _filled(self, text: str) -> Iterator[str]:
        for sentence in self._sentences:
            values = sentence.values(text)
            if values is None:
                continue
            if _KNOWN in values:
                known = self._found(values[_KNOWN])
                if known is None:
                    continue
                values[_KNOWN] = known
            yield sentence.japanese.format(**{name: self._value(value) for name, value in values.items()})

    def _sentences_of(self, text: str) -> str | None:
        """Look up what semicolons stand between, all of which has to be known."""
        parts = text.split("; ")
        found = [self._found(part) or self._after_its_place(part) for part in parts if len(parts) > 1]
        return "。".join(filter(None, found)) if found and all(found) else None

    def _list(self, text: str) -> str | None:
        """Look up what commas stand between, as far as it is known."""
        parts = text.split(", ")
        if not any(part in self._exact for part in parts):
            return None
        return "、".join(self._exact.get(part, part) for part in parts)
