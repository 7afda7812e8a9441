"""A draft's file as values with their lines: TOML or YAML."""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from core.errors import Problem
from core.sandbox.errors import DraftError
from core.toml_lines import TomlLines

LARGEST = 512 * 1024
"""Bytes of a draft."""

DEEPEST = 32
"""How many lists and tables may stand in each other in YAML."""

KeyPath = tuple[str | int, ...]
LineOf = Callable[[KeyPath], int]


@dataclass(frozen=True, slots=True)
class Source:
    """What a file says; `line` tells where what stands at a path is."""

    name: str
    table: Any
    line: LineOf

    def problem(self, path: KeyPath, message: str) -> Problem:
        """Return a problem of what stands at a path."""
        return Problem(self.name, self.line(path), message)


def parsed(content: bytes, name: str) -> Source:
    """Return what a file of that name holds; its ending tells the format.

    Raises:
        DraftError: it is neither.
    """
    if len(content) > LARGEST:
        raise DraftError((Problem(name, None, f"is larger than {LARGEST // 1024} KB"),))
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DraftError((Problem(name, None, "is not UTF-8 text"),)) from error
    read = _yaml if name.lower().endswith((".yaml", ".yml")) else _toml
    try:
        return read(text, name)
    except RecursionError as error:
        raise DraftError((Problem(name, None, "is nested too deeply"),)) from error


def _toml(text: str, name: str) -> Source:
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"at line (\d+)", str(error))
        raise DraftError((Problem(name, int(found[1]) if found else None, f"is not valid TOML: {error}"),)) from error
    except ValueError as error:
        raise DraftError((Problem(name, None, "holds a number of too many digits"),)) from error
    lines = TomlLines(text)
    return Source(name, table, lambda path: lines[path])


def _yaml(text: str, name: str) -> Source:
    lines: dict[KeyPath, int] = {}
    problems: list[Problem] = []
    try:
        _check_shape(text, name)
        root = yaml.compose(text, yaml.SafeLoader)
        table = _Loader(text).get_single_data()
    except yaml.YAMLError as error:
        line = _line(error.problem_mark) if isinstance(error, yaml.MarkedYAMLError) else None
        raise DraftError((Problem(name, line, _what_is_wrong(error)),)) from error
    _note_lines(root, (), lines, problems, name)
    if problems:
        raise DraftError(tuple(problems))
    return Source(name, table, lambda path: _nearest(lines, path))


def _what_is_wrong(error: yaml.YAMLError) -> str:
    what = getattr(error, "problem", None)
    if what is None:
        return "is no YAML"
    return str(what) if isinstance(error, yaml.constructor.ConstructorError) else f"is not valid YAML: {what}"


def _check_shape(text: str, name: str) -> None:
    """Refuse what makes a small file large or runs out of stack when it is put together: aliases and deep nesting."""
    depth = 0
    for event in yaml.parse(text, yaml.SafeLoader):
        if isinstance(event, yaml.AliasEvent):
            raise DraftError((Problem(name, _line(event.start_mark), "aliases (*name) can't be used here"),))
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST:
            raise DraftError((Problem(name, _line(event.start_mark), "is nested too deeply"),))


class _Loader(yaml.SafeLoader):
    """Tells where a value is that has the form of a date or number and is none, such as 2026-02-30."""

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:  # noqa: ANN401 - PyYAML's
        try:
            return super().construct_object(node, deep=deep)
        except ValueError as error:
            raise yaml.constructor.ConstructorError(None, None, str(error), node.start_mark) from error


def _line(mark: Any) -> int | None:  # noqa: ANN401 - a mark of either of PyYAML's two parsers
    return None if mark is None else mark.line + 1


def _note_lines(
    node: yaml.Node | None, path: KeyPath, lines: dict[KeyPath, int], problems: list[Problem], name: str
) -> None:
    if node is None:
        return
    lines.setdefault(path, node.start_mark.line + 1)
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            inner = (*path, str(key.value))
            if inner in lines:
                problems.append(Problem(name, key.start_mark.line + 1, f"'{key.value}' is there already"))
            lines[inner] = key.start_mark.line + 1
            _note_lines(value, inner, lines, problems, name)
    elif isinstance(node, yaml.SequenceNode):
        for number, value in enumerate(node.value):
            _note_lines(value, (*path, number), lines, problems, name)


def _nearest(lines: Mapping[KeyPath, int], path: KeyPath) -> int:
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path, 1)
