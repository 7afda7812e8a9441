"""Reading the files of a pack: what can't be read is reported, never raised."""

import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.errors import Problem
from core.toml_lines import Path as KeyPath
from core.toml_lines import TomlLines

_POSITION = re.compile(r" ?\(at (?:line (\d+), column (\d+)|end of document)\)")
_LARGEST = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class TomlFile:
    """A TOML file with the lines of its values."""

    name: str
    data: dict[str, Any]
    lines: TomlLines

    def problem(self, path: KeyPath, message: str) -> Problem:
        """Return a problem with what stands at a path."""
        return Problem(self.name, self.lines[path], message)


@dataclass(slots=True)
class PackFolder:
    """A folder being read, with the problems found so far. File names in problems begin with the folder's name."""

    path: Path
    problems: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)

    def label(self, file: str) -> str:
        """Return how a file of this folder is named in problems."""
        return f"{self.path.name}/{file}"

    def has(self, file: str) -> bool:
        """Whether there is such a file."""
        return (self.path / file).exists()

    def read_text(self, file: str) -> str | None:
        """Return a UTF-8 file's text, or None with the reason among the problems."""
        label = self.label(file)
        try:
            raw = (self.path / file).read_bytes()
        except FileNotFoundError:
            self.problems.append(Problem(label, None, "is missing; docs/characters.md shows what goes into it"))
            return None
        except OSError as error:
            self.problems.append(Problem(label, None, f"can't be read ({error.strerror}); check its permissions"))
            return None
        if len(raw) > _LARGEST:
            self.problems.append(Problem(label, None, f"is larger than {_LARGEST:,} bytes; is it the right file?"))
            return None
        try:
            return raw.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = raw.count(b"\n", 0, error.start) + 1
            self.problems.append(Problem(label, line, "is not UTF-8; save the file again with the encoding UTF-8"))
            return None

    def read_toml(self, file: str) -> TomlFile | None:
        """Return a TOML file, or None with the reason among the problems."""
        text = self.read_text(file)
        if text is None:
            return None
        try:
            data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            self.problems.append(_syntax_problem(self.label(file), text, str(error)))
            return None
        except RecursionError:
            self.problems.append(Problem(self.label(file), None, "is nested too deeply"))
            return None
        return TomlFile(name=self.label(file), data=data, lines=TomlLines(text))


def _syntax_problem(label: str, text: str, error: str) -> Problem:
    position = _POSITION.search(error)
    if position is None or position[1] is None:
        line, where = max(1, len(text.splitlines())), "at the end of the file"
    else:
        line, where = int(position[1]), f"at character {position[2]}"
    reason = _POSITION.sub("", error)
    hint = "texts stand in quotes, times too; a key appears once; see docs/characters.md"
    return Problem(label, line, f"is not valid TOML {where}: {reason[:1].lower()}{reason[1:]} ({hint})")
