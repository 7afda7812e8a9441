"""Fixtures from their files: `<folder>/<category>-<locale>.toml`, with the checks that all talks of a file share."""

import re
import unicodedata
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, ValidationError, model_validator

from core.errors import Problem
from core.stance.evaluation.axes import Axis, Category
from core.stance.evaluation.fixtures import Expectations, Fixture, Patterns, SaidBefore
from core.stance.evaluation.reading import EvaluationError, Strict, TomlFile
from core.stance.types import StanceInertia
from core.values import Locale

Text = Annotated[str, Field(min_length=1)]


def _regex(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise ValueError(f"'{text}' is no regular expression: {error}") from error
    return text


Regexes = dict[Axis, list[Annotated[Text, AfterValidator(_regex)]]]


class _Checks(Strict):
    must_not: Regexes = Field(default_factory=dict)
    must_any: Regexes = Field(default_factory=dict)

    def compiled(self) -> Expectations:
        return Expectations(must_not=_compiled(self.must_not), must_any=_compiled(self.must_any))


class _Said(Strict):
    user: Text | None = None
    character: Text | None = None

    @model_validator(mode="after")
    def _one_of_them(self) -> "_Said":
        if (self.user is None) == (self.character is None):
            raise ValueError("holds either user or character")
        return self


class _Inertia(Strict):
    active_pushback_count: int = Field(ge=0)
    reflective_support_turn_count: int = Field(ge=0)
    high_stakes_turn_count: int = Field(ge=0)
    recent_overreliance_marker: bool
    last_stance_gate_reason: Text | None = None


class _Talk(_Checks):
    id: Annotated[str, Field(pattern=r"^[a-z0-9-]+$")]
    say: list[Text] = Field(min_length=1)
    topic: Text | None = None
    before: list[_Said] = Field(default_factory=list)
    inertia: _Inertia | None = None
    gone_wrong: Literal["flattered", "mind_read", "prescribed", "clung"] | None = None
    words: dict[str, Text] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _wrong_in_what(self) -> "_Talk":
        if self.gone_wrong and (self.inertia is None or not any(said.character for said in self.before)):
            raise ValueError("gone_wrong needs inertia, and something the character said in before")
        return self


def load_fixtures(folder: Path) -> tuple[Fixture, ...]:
    """Return every talk in a folder, file by file.

    Raises:
        EvaluationError: there is none, or a file can't be used; every problem is told with file and line.
    """
    fixtures: list[Fixture] = []
    problems: list[Problem] = []
    for path in sorted(folder.glob("*.toml")):
        try:
            fixtures += _load_file(path)
        except EvaluationError as error:
            problems += error.problems
    problems += _repeated(folder, fixtures)
    if not fixtures and not problems:
        problems.append(Problem(str(folder), None, "there are no fixtures (<category>-<locale>.toml)"))
    if problems:
        raise EvaluationError(tuple(problems))
    return tuple(fixtures)


def _load_file(path: Path) -> list[Fixture]:
    file = TomlFile.read(path)
    category, locale = _named(file)
    problems: list[Problem] = []
    try:
        shared = _Checks.model_validate({key: value for key, value in file.table.items() if key != "talk"}).compiled()
    except ValidationError as error:
        problems += file.problems(0, error)
        shared = Expectations()
    fixtures = []
    for number, (start, entry) in enumerate(file.entries("talk")):
        try:
            fixtures.append(_fixture(_Talk.model_validate(entry), category, locale, number, shared))
        except ValidationError as error:
            problems += file.problems(start, error)
    if not fixtures and not problems:
        problems.append(file.problem(1, "there is no [[talk]]"))
    if problems:
        raise EvaluationError(tuple(problems))
    return fixtures


def _named(file: TomlFile) -> tuple[Category, Locale]:
    category, _, locale = file.path.stem.rpartition("-")
    try:
        return Category(category), Locale(locale)
    except ValueError as error:
        known = ", ".join(Category)
        message = f"must be named <category>-<locale>.toml, with a category of: {known}"
        raise EvaluationError((file.problem(None, message),)) from error


def _fixture(talk: _Talk, category: Category, locale: Locale, number: int, shared: Expectations) -> Fixture:
    return Fixture(
        id=talk.id,
        category=category,
        locale=locale,
        number=number,
        say=tuple(talk.say),
        topic=talk.topic,
        before=tuple(SaidBefore(said.user is not None, said.user or said.character or "") for said in talk.before),
        inertia=StanceInertia(**talk.inertia.model_dump()) if talk.inertia else StanceInertia(),
        gone_wrong=talk.gone_wrong,
        words=talk.words,
        expectations=shared.joined(talk.compiled()),
    )


def _repeated(folder: Path, fixtures: list[Fixture]) -> list[Problem]:
    seen: set[str] = set()
    repeated = []
    for fixture in fixtures:
        if fixture.id in seen:
            file = folder / f"{fixture.category}-{fixture.locale}.toml"
            repeated.append(Problem(str(file), None, f"the id {fixture.id} is there already"))
        seen.add(fixture.id)
    return repeated


def _compiled(regexes: Regexes) -> Patterns:
    return {
        axis: tuple(re.compile(unicodedata.normalize("NFKC", text), re.IGNORECASE) for text in texts)
        for axis, texts in regexes.items()
    }
