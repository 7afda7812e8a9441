"""The signal's lexicons: named groups of words and patterns, by locale, read from TOML files.

A file is a set of tables, one for each group: `words` (matched as whole words in any inflection) and `patterns`
(regular expressions over the canonical text). A group may be spread over both locales; never over two files of one.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Self

from core.errors import CoreError, Problem
from core.stance.signal.finder import Finder
from core.stance.signal.needles import shipped
from core.stance.signal.patterns import LatePattern
from core.values import Locale

Splitter = Callable[[str], Sequence[str]]
"""Turns a text into the forms its words are compared by, in order."""

_KEYS = frozenset({"words", "patterns"})
_NAME = re.compile(r"[a-z][a-z0-9_]*")
LONGEST_PHRASE = 4
"""Words in the longest phrase a lexicon may hold, after splitting."""


class LexiconError(CoreError):
    """A lexicon of the signal can't be used. The text names file, line and reason of every fault found."""

    hint = "error.internal"

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("; ".join(str(problem) for problem in problems))
        self.problems = tuple(problems)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """The groups of one locale.

    `phrases` maps the forms of a phrase to the names of the groups it is in, `reach` a form to the length of the
    longest phrase that begins with it.
    `patterns` holds each with the name of its group; `finder` tells by their place which of them to try in a text.
    """

    locale: Locale
    names: frozenset[str]
    phrases: Mapping[tuple[str, ...], frozenset[str]]
    reach: Mapping[str, int]
    patterns: Sequence[tuple[str, LatePattern]]
    finder: Finder

    @classmethod
    def load(cls, locale: Locale, split: Splitter, *, folder: Traversable | None = None) -> Self:
        """Read every `*.toml` of the locale's folder, by default the shipped one.

        The patterns of any other are tried out; those of the shipped one were when it was made (a test does).

        Raises:
            LexiconError: a file can't be read or holds something that can't be used.
        """
        root = folder if folder is not None else files("core.stance") / "lexicon" / locale.value
        groups: dict[str, _Group] = {}
        problems: list[Problem] = []
        for file in sorted(root.iterdir(), key=lambda entry: entry.name):
            if file.name.endswith(".toml"):
                problems += _read(f"{locale.value}/{file.name}", file, groups, tried=folder is not None)
        if problems:
            raise LexiconError(problems)
        phrases = _phrases(groups, split)
        reach: dict[str, int] = {}
        for forms in phrases:
            reach[forms[0]] = max(reach.get(forms[0], 0), len(forms))
        patterns = [(name, pattern) for name, group in groups.items() for pattern in group.patterns]
        return cls(
            locale=locale,
            names=frozenset(groups),
            phrases=phrases,
            reach=reach,
            patterns=patterns,
            finder=Finder.of([pattern.pattern for _, pattern in patterns], known=shipped()),
        )

    def compile(self) -> None:
        """Compile all patterns ahead of the texts that need them; in a thread, since it takes a while."""
        for _, pattern in self.patterns:
            pattern.compiled  # noqa: B018 - looking at it compiles it

    def matches(self, text: str) -> dict[str, int]:
        """Return how often patterns of each group match in a canonical text; groups without a match are left out."""
        found: dict[str, int] = {}
        for index in self.finder.worth_trying(text):
            name, pattern = self.patterns[index]
            count = len(pattern.findall(text))
            if count:
                found[name] = found.get(name, 0) + count
        return found

    def groups_of(self, forms: Sequence[str]) -> dict[str, int]:
        """Return how often words of each group occur; groups without a word are left out."""
        found: dict[str, int] = {}
        phrases = self.phrases
        for start, form in enumerate(forms):
            reach = self.reach.get(form)
            if reach is None:
                continue
            for length in range(1, min(reach, len(forms) - start) + 1):
                for name in phrases.get(tuple(forms[start : start + length]), ()):
                    found[name] = found.get(name, 0) + 1
        return found


@dataclass(frozen=True, slots=True)
class _Group:
    words: tuple[str, ...]
    patterns: tuple[LatePattern, ...]


def _read(label: str, file: Traversable, groups: dict[str, _Group], *, tried: bool) -> list[Problem]:
    """Add a file's groups; return what was wrong with it."""
    try:
        text = file.read_text(encoding="utf-8")
        tables = tomllib.loads(text)
    except UnicodeDecodeError as error:
        return [Problem(label, None, f"not UTF-8 (byte {error.start})")]
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"at line (\d+)", str(error))
        return [Problem(label, int(line[1]) if line else None, f"not valid TOML: {error}")]
    problems: list[Problem] = []
    for name, table in tables.items():
        faults = list(_faults(name, table, tried=tried))
        if name in groups:
            faults.append((f"[{name}]", f"group '{name}' is already in another file of this locale"))
        problems += [Problem(label, _line_of(text, name, needle), reason) for needle, reason in faults]
        if not faults:
            groups[name] = _Group(tuple(table.get("words", ())), tuple(map(LatePattern, table.get("patterns", ()))))
    return problems


def _faults(name: str, table: object, *, tried: bool) -> Iterable[tuple[str, str]]:
    """Yield what to look for in the file to find the line, and the reason; `tried`: the patterns are tried out."""
    if not _NAME.fullmatch(name):
        yield name, f"'{name}' is no group name (a-z, 0-9, _)"
    if not isinstance(table, dict):
        yield name, f"'{name}' has to be a table with 'words' and 'patterns'"
        return
    if not table:
        yield f"[{name}]", f"group '{name}' is empty"
    for key, values in table.items():
        if key not in _KEYS:
            yield key, f"unknown key '{key}' in '{name}' (known: words, patterns)"
        elif not isinstance(values, list) or not all(isinstance(value, str) and value.strip() for value in values):
            yield key, f"'{key}' of '{name}' has to be a list of texts that are not empty"
        elif key == "patterns" and tried:
            yield from _pattern_faults(name, values)


def _pattern_faults(name: str, patterns: list[str]) -> Iterable[tuple[str, str]]:
    for pattern in patterns:
        try:
            if re.compile(pattern).match(""):
                yield pattern, f"pattern of '{name}' matches nothing at all: {pattern}"
        except re.error as error:
            yield pattern, f"pattern of '{name}' is no regular expression ({error.msg}): {pattern}"


def _line_of(text: str, table: str, needle: str) -> int | None:
    """Return the line a needle stands in, looked for from the table's heading on."""
    start = max(text.find(f"[{table}]"), 0)
    escaped = needle.replace("\\", "\\\\").replace('"', '\\"')
    for form in (needle, escaped, f"[{table}]"):
        position = text.find(form, start)
        if position >= 0:
            return text.count("\n", 0, position) + 1
    return None


def _phrases(groups: Mapping[str, _Group], split: Splitter) -> dict[tuple[str, ...], frozenset[str]]:
    found: dict[tuple[str, ...], set[str]] = {}
    for name, group in groups.items():
        for word in group.words:
            forms = tuple(split(word))[:LONGEST_PHRASE]
            if forms:
                found.setdefault(forms, set()).add(name)
    return {forms: frozenset(names) for forms, names in found.items()}
