"""Reads TOML files of `[[table]]` entries and tells every problem with file and line."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from core.complaints import complaint
from core.errors import CoreError, Problem


class EvaluationError(CoreError):
    """Files of the evaluation can't be used; the text lists every one of `problems` with file and line."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = problems


class Strict(BaseModel):
    """What a table of a file may hold; anything else is a problem."""

    model_config = ConfigDict(extra="forbid", frozen=True)


@dataclass(frozen=True, slots=True)
class TomlFile:
    """One file: its tables, and where each begins."""

    path: Path
    lines: tuple[str, ...]
    table: dict[str, Any]

    @classmethod
    def read(cls, path: Path) -> "TomlFile":
        """Read a file.

        Raises:
            EvaluationError: it can't be read or is no TOML.
        """
        try:
            text = path.read_text("utf-8")
            return cls(path, tuple(text.splitlines()), tomllib.loads(text))
        except tomllib.TOMLDecodeError as error:
            found = re.search(r"at line (\d+)", str(error))
            raise EvaluationError((Problem(str(path), int(found[1]) if found else None, str(error)),)) from error
        except (OSError, UnicodeDecodeError) as error:
            raise EvaluationError((Problem(str(path), None, str(error)),)) from error

    def entries(self, name: str) -> Iterator[tuple[int, Any]]:
        """Yield every `[[name]]` with the line it begins in."""
        starts = [number for number, line in enumerate(self.lines, 1) if line.strip() == f"[[{name}]]"]
        found = self.table.get(name, [])
        yield from zip(starts, found if isinstance(found, list) else [], strict=False)

    def line_of(self, start: int, key: str) -> int:
        """Return the line of a key in the entry that begins at `start`; the entry's own where it has none."""
        for number, line in enumerate(self.lines[start:], start + 1):
            if line.startswith("[["):
                break
            if re.match(rf"\s*\[?{re.escape(key)}\b", line):
                return number
        return start

    def problem(self, line: int | None, message: str) -> Problem:
        """Return a problem of this file."""
        return Problem(str(self.path), line, message)

    def problems(self, start: int, error: ValidationError) -> list[Problem]:
        """Return what is wrong with an entry as problems with their lines."""
        found = []
        for detail in error.errors(include_url=False):
            where = ".".join(str(part) for part in detail["loc"])
            message = complaint(detail)
            key = str(detail["loc"][0]) if detail["loc"] else ""
            found.append(
                self.problem(self.line_of(start, key) if key else start, f"{where}: {message}" if where else message)
            )
        return found
