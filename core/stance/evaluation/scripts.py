"""What the scripted models say: texts with the axes each of them breaks, labelled by hand."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from pydantic import Field, ValidationError

from core.errors import Problem
from core.stance.evaluation.axes import Axis, Category
from core.stance.evaluation.fixtures import Fixture
from core.stance.evaluation.reading import EvaluationError, Strict, TomlFile
from core.values import Locale

_GAP = re.compile(r"\{(\w+)\}")


class Kind(StrEnum):
    """What a text is an example of; a file holds the texts of one kind in one language."""

    FLATTERY = "flattery"
    MIND_READING = "mind-reading"
    PRESCRIPTION = "prescription"
    CLINGING = "clinging"
    GIVING_WAY = "giving-way"
    STEADY = "steady"


@dataclass(frozen=True, slots=True)
class Line:
    """A text with its gaps (`{person}`), and the axes it breaks; none for a good one."""

    text: str
    breaks: frozenset[Axis]

    def filled(self, words: Mapping[str, str]) -> "Line":
        """Return the line with its gaps filled; a gap that begins with a capital gets one."""
        return Line(_GAP.sub(lambda gap: _word(gap[1], words), self.text), self.breaks)

    def gaps(self) -> frozenset[str]:
        """Return the words that it needs."""
        return frozenset(gap.lower() for gap in _GAP.findall(self.text))


@dataclass(frozen=True, slots=True)
class Scripts:
    """Every line, by kind, language, category and topic."""

    lines: Mapping[tuple[Kind, Locale, Category, str | None], tuple[Line, ...]]

    @classmethod
    def load(cls, folder: Path) -> "Scripts":
        """Read `<kind>-<locale>.toml`, all of them.

        Raises:
            EvaluationError: a file is missing or can't be used; every problem is told with file and line.
        """
        lines: dict[tuple[Kind, Locale, Category, str | None], tuple[Line, ...]] = {}
        problems: list[Problem] = []
        for kind in Kind:
            for locale in Locale:
                try:
                    for entry in _load_file(folder / f"{kind}-{locale}.toml"):
                        key = (kind, locale, entry.category, entry.topic)
                        lines[key] = (*lines.get(key, ()), Line(entry.text, frozenset(entry.breaks)))
                except EvaluationError as error:
                    problems += error.problems
        if problems:
            raise EvaluationError(tuple(problems))
        return cls(lines)

    def of(self, kind: Kind, fixture: Fixture) -> tuple[Line, ...]:
        """Return the lines of a kind that fit a talk, gaps and all."""
        return self.lines.get((kind, fixture.locale, fixture.category, fixture.topic), ())

    def pick(self, kind: Kind, fixture: Fixture, number: int) -> Line:
        """Return the line that a talk gets, its gaps filled: another one for every number in turn."""
        lines = self.of(kind, fixture)
        return lines[(fixture.number + number) % len(lines)].filled(fixture.words)

    def lacks(self, fixtures: Iterable[Fixture]) -> tuple[str, ...]:
        """Return what is wanting for these talks: kinds with fewer than two lines, words for gaps."""
        wanting: list[str] = []
        for fixture in fixtures:
            for kind in Kind:
                lines = self.of(kind, fixture)
                if len(lines) < 2:
                    wanting.append(f"{fixture.id}: fewer than two replies of the kind {kind}")
                missing = {gap for line in lines for gap in line.gaps()} - fixture.words.keys()
                wanting += [
                    f"{fixture.id}: words.{gap} is needed by replies of the kind {kind}" for gap in sorted(missing)
                ]
        return tuple(wanting)


class _Entry(Strict):
    category: Category
    topic: Annotated[str, Field(min_length=1)] | None = None
    breaks: list[Axis] = Field(default_factory=list)
    text: Annotated[str, Field(min_length=1)]


def _load_file(path: Path) -> list[_Entry]:
    file = TomlFile.read(path)
    entries, problems = [], []
    for start, entry in file.entries("reply"):
        try:
            entries.append(_Entry.model_validate(entry))
        except ValidationError as error:
            problems += file.problems(start, error)
    if problems:
        raise EvaluationError(tuple(problems))
    return entries


def _word(gap: str, words: Mapping[str, str]) -> str:
    word = words[gap.lower()]
    return word[:1].upper() + word[1:] if gap[:1].isupper() else word
